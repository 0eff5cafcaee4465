import { KeyRing } from '@gatehouse/crypto';
import { Egress, type EgressResponse } from '@gatehouse/egress';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import webPush from 'web-push';
import { keysContext } from '../push-subscriptions/push-subscriptions.repository.ts';
import { VapidKeys } from '../vapid/vapid-keys.ts';
import { type Attempt, attemptOf, payloadOf, type Push, unreachable } from './delivery.ts';

/** `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>" under the subscription's secret>` */
const SIGNATURE_HEADER = 'x-gatehouse-signature';

interface WebPushKeys {
  readonly p256dh: string;
  readonly auth: string;
}

/** Sends one push to its endpoint; both kinds use the guarded egress. */
@Injectable()
export class SendPush {
  constructor(
    private readonly egress: Egress,
    private readonly keys: KeyRing,
    private readonly vapid: VapidKeys,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  attempt(push: Push): Promise<Attempt> {
    return this.send(push).then(attemptOf, unreachable);
  }

  /** @throws EgressError when the endpoint cannot be reached */
  private async send(push: Push): Promise<EgressResponse> {
    const opened = JSON.parse(this.keys.open(push.sealedKeys, keysContext(push.subscriptionId))) as WebPushKeys & {
      secret: string;
    };
    const { headers, body } =
      push.kind === 'webhook' ? signedWebhook(push, opened.secret) : await this.webPush(push, opened);
    return this.egress.fetch(push.endpoint, {
      method: 'POST',
      headers,
      body,
      compartment: new URL(push.endpoint).host,
    });
  }

  /**
   * Encrypts by RFC 8291 and identifies the sender by RFC 8292; the push service drops the message when the approval
   * expires.
   */
  private async webPush(push: Push, keys: WebPushKeys): Promise<{ headers: Record<string, string>; body: Buffer }> {
    const TTL = Math.max(1, Math.floor((push.expiresAt.getTime() - Date.now()) / 1000));
    const subject = this.baseUrl.startsWith('https:') ? this.baseUrl : 'mailto:operator@localhost.invalid';
    const { headers, body } = webPush.generateRequestDetails({ endpoint: push.endpoint, keys }, payloadOf(push), {
      TTL,
      vapidDetails: { subject, ...(await this.vapid.current()) },
    });
    return {
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])),
      body,
    };
  }
}

function signedWebhook(push: Push, secret: string): { headers: Record<string, string>; body: string } {
  const body = payloadOf(push);
  const at = Math.floor(Date.now() / 1000);
  const mac = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return { headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: `t=${at},v1=${mac}` }, body };
}
