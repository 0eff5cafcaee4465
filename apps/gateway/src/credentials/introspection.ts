import type { InternalIdentitySigner } from '@gatehouse/auth';
import { API_PREFIX, type EventEnvelope, type Principal, Refusal } from '@gatehouse/contracts-core';
import { type IntrospectionAnswer, type IntrospectionRequest, type PrincipalsChange, PrincipalsChanged } from '@gatehouse/contracts-identity';
import { sha256Hex } from '@gatehouse/crypto';
import type { EventBus } from '@gatehouse/messaging';
import { LRUCache } from 'lru-cache';
import { textOf } from '../exchange.ts';
import type { Upstreams } from '../upstreams.ts';
import { MAX_AGE_MS } from './max-age.ts';
import { asGateway } from './own-identity.ts';

const PATH = `${API_PREFIX}/internal/introspect`;
const MAX_KNOWN = 20_000;

/** A principal, and a name for exactly this state of it. */
export interface Identified {
  readonly principal: Principal;
  readonly version: string;
}

interface Known {
  readonly answer: Promise<Identified>;
  settled?: Identified;
}

const MESSAGES = { session_revoked: 'The session has ended; sign in again.', token_invalid: 'The credential is not valid.', token_expired: 'The credential has expired.' } as const;

/** Asks identity what a credential stands for now; parallel requests share one question, and an event drops what changed. */
export class Introspection {
  private readonly known = new LRUCache<string, Known>({ max: MAX_KNOWN, ttl: MAX_AGE_MS });

  constructor(private readonly upstreams: Upstreams, private readonly signer: InternalIdentitySigner, bus: EventBus) {
    bus.listen(PrincipalsChanged, ({ data }: EventEnvelope<PrincipalsChange>) => this.forget(data));
  }

  ofSession(sessionId: string): Promise<Identified> {
    return this.of({ sessionId });
  }

  ofApiKey(apiKey: string): Promise<Identified> {
    return this.of({ apiKeyHash: sha256Hex(apiKey) });
  }

  private of(question: IntrospectionRequest): Promise<Identified> {
    const key = question.sessionId ?? question.apiKeyHash ?? '';
    const known = this.known.get(key);
    if (known) return known.answer;
    const entry: Known = { answer: this.ask(question) };
    this.known.set(key, entry);
    entry.answer.then(
      (identified) => (entry.settled = identified),
      () => this.known.peek(key) === entry && this.known.delete(key),
    );
    return entry.answer;
  }

  private async ask(question: IntrospectionRequest): Promise<Identified> {
    const headers = { ...(await asGateway(this.signer, 'identity')), 'content-type': 'application/json' };
    const reply = await this.upstreams.request('identity', { method: 'POST', path: PATH, headers, body: JSON.stringify(question) }, { idempotent: true });
    const text = await textOf(reply);
    if (reply.statusCode >= 300) throw new Refusal('unavailable', 'Credentials cannot be verified at the moment; try again.', { retryAfterSeconds: 2 });
    const answer = JSON.parse(text) as IntrospectionAnswer;
    if (!answer.active) throw new Refusal(answer.code, MESSAGES[answer.code]);
    return { principal: answer.principal, version: sha256Hex(text) };
  }

  /** A question still under way is forgotten too: its answer may be older than the change. */
  private forget({ sessionIds, userIds, apiKeyIds }: PrincipalsChange): void {
    const gone = new Set([...sessionIds, ...apiKeyIds]);
    const people = new Set(userIds);
    for (const [key, { settled }] of this.known.entries()) {
      const { principal } = settled ?? {};
      if (!principal || gone.has(key) || gone.has(principal.id) || people.has(principal.userId)) this.known.delete(key);
    }
  }
}
