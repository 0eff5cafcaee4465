import { KeyRing } from '@gatehouse/crypto';
import { Egress } from '@gatehouse/egress';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import webPush from 'web-push';
import { keysContext } from '../push-subscriptions/push-subscription.entity.ts';
import { VapidKeys } from '../vapid/vapid-keys.ts';
import { type Delivery, type Outcome, outcomeOf, payloadOf } from './delivery.ts';

/** `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>" under the subscription's secret>` */
export const SIGNATURE_HEADER = 'x-gatehouse-signature';

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

  /** @throws EgressError when the endpoint cannot be reached */
  async send(delivery: Delivery): Promise<Outcome> {
    const opened = JSON.parse(
      this.keys.open(delivery.sealedKeys, keysContext(delivery.subscriptionId)),
    ) as WebPushKeys & { secret: string };
    const { headers, body } =
      delivery.kind === 'webhook' ? signedWebhook(delivery, opened.secret) : await this.webPush(delivery, opened);
    const { status } = await this.egress.fetch(delivery.endpoint, {
      method: 'POST',
      headers,
      body,
      compartment: new URL(delivery.endpoint).host,
    });
    return outcomeOf(status);
  }

  /**
   * Encrypts by RFC 8291 and identifies the sender by RFC 8292; the push service drops the message when the approval
   * expires.
   */
  private async webPush(
    delivery: Delivery,
    keys: WebPushKeys,
  ): Promise<{ headers: Record<string, string>; body: Buffer }> {
    const TTL = Math.max(1, Math.floor((delivery.expiresAt.getTime() - Date.now()) / 1000));
    const subject = this.baseUrl.startsWith('https:') ? this.baseUrl : 'mailto:operator@localhost.invalid';
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint: delivery.endpoint, keys },
      payloadOf(delivery),
      { TTL, vapidDetails: { subject, ...(await this.vapid.current()) } },
    );
    return {
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])),
      body,
    };
  }
}

function signedWebhook(delivery: Delivery, secret: string): { headers: Record<string, string>; body: string } {
  const body = payloadOf(delivery);
  const at = Math.floor(Date.now() / 1000);
  const mac = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return { headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: `t=${at},v1=${mac}` }, body };
}
