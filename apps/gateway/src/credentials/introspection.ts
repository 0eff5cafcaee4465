import { IDENTITY_HEADER, type InternalIdentitySigner } from '@gatehouse/auth';
import {
  API_PREFIX,
  type EventEnvelope,
  type Principal,
  ProblemError,
  type UpstreamName,
} from '@gatehouse/contracts-core';
import {
  type IntrospectionRequest,
  type IntrospectionResponse,
  type PrincipalsChange,
  PrincipalsChanged,
} from '@gatehouse/contracts-identity';
import { sha256Hex } from '@gatehouse/crypto';
import { LRUCache } from 'lru-cache';
import { setTimeout as wait } from 'node:timers/promises';
import { textOf } from '../upstreams/exchange.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import { type EventContinuity, MAX_AGE_MS, STALE_ALLOWED_MS } from './event-continuity.ts';

/** The headers with which the gateway calls a service on its own behalf. */
export const asGateway = async (
  signer: InternalIdentitySigner,
  audience: UpstreamName,
): Promise<Record<string, string>> => ({
  [IDENTITY_HEADER]: await signer.tokenFor(
    audience,
    { principal: null, ip: null, service: 'gateway' },
    'service gateway',
  ),
});

const PATH = `${API_PREFIX}/internal/introspect`;
const MAX_KNOWN = 20_000;

/** A principal, and an identifier of exactly this state of it. */
export interface Identified {
  readonly principal: Principal;
  readonly version: string;
}

interface Known {
  readonly identified: Identified;
  /** When identity was asked, by the monotonic clock. */
  readonly at: number;
}

interface Question {
  readonly answer: Promise<Identified>;
  readonly at: number;
}

/** How long a request waits for identity if a cached answer may be used instead. */
const TIMEOUT_MS = 500;
const ageOf = ({ at }: { readonly at: number }): number => performance.now() - at;
/** Whether identity rejected the credential, rather than failed to answer. */
const isVerdict = (error: unknown): boolean => error instanceof ProblemError && error.code !== 'unavailable';

const MESSAGES = {
  session_revoked: 'The session has ended; sign in again.',
  token_invalid: 'The credential is not valid.',
  token_expired: 'The credential has expired.',
} as const;

/**
 * Asks identity what a credential now stands for. Concurrent requests share one introspection, and an event drops the
 * cached principals that it changes.
 */
export class Introspection {
  private readonly known = new LRUCache<string, Known>({ max: MAX_KNOWN, ttl: STALE_ALLOWED_MS });
  private readonly asking = new Map<string, Question>();
  /** The last introspection timed out, so the next ones use a cached answer at once. */
  private isSilent = false;

  constructor(
    private readonly upstreams: Upstreams,
    private readonly signer: InternalIdentitySigner,
    private readonly events: EventContinuity,
  ) {
    events.bus.listen(PrincipalsChanged, ({ data }: EventEnvelope<PrincipalsChange>) => this.forget(data));
  }

  ofSession(sessionId: string): Promise<Identified> {
    return this.of({ sessionId });
  }

  ofApiKey(apiKey: string): Promise<Identified> {
    return this.of({ apiKeyHash: sha256Hex(apiKey) });
  }

  private async of(question: IntrospectionRequest): Promise<Identified> {
    const key = question.sessionId ?? question.apiKeyHash ?? '';
    const known = this.known.get(key);
    if (known && ageOf(known) < MAX_AGE_MS) return known.identified;
    const { answer } = this.questionFor(key, question);
    return this.standIn(key) ? this.orStandIn(key, answer) : answer;
  }

  private standIn(key: string): Identified | null {
    const known = this.known.get(key);
    return known && this.events.maySpeakFor(known.at) ? known.identified : null;
  }

  /** Returns the answer if it arrives in time, or else the cached answer, unless an event has revoked that. */
  private async orStandIn(key: string, answer: Promise<Identified>): Promise<Identified> {
    const timeout = new AbortController();
    const inTime = await Promise.race([
      answer.catch((error: unknown) => (isVerdict(error) ? Promise.reject(error as Error) : null)),
      wait(this.isSilent ? 0 : TIMEOUT_MS, null, { signal: timeout.signal }),
    ]).finally(() => timeout.abort());
    if (inTime) return inTime;
    this.isSilent = true;
    return this.standIn(key) ?? answer;
  }

  /** An introspection under way may have gone to a frozen replica, so requests join it only for a limited time. */
  private questionFor(key: string, content: IntrospectionRequest): Question {
    const underWay = this.asking.get(key);
    if (underWay && ageOf(underWay) < MAX_AGE_MS) return underWay;
    const question: Question = { at: performance.now(), answer: this.ask(content) };
    this.asking.set(key, question);
    question.answer.then(
      (identified) => this.learn(key, question, identified),
      (error: unknown) => this.unlearn(key, question, error),
    );
    return question;
  }

  private learn(key: string, question: Question, identified: Identified): void {
    this.isSilent = false;
    if (this.asking.get(key) !== question) return;
    this.asking.delete(key);
    this.known.set(key, { identified, at: question.at });
  }

  private unlearn(key: string, question: Question, error: unknown): void {
    if (this.asking.get(key) === question) this.asking.delete(key);
    if (!isVerdict(error)) return;
    this.isSilent = false;
    this.known.delete(key);
  }

  private async ask(question: IntrospectionRequest): Promise<Identified> {
    const headers = { ...(await asGateway(this.signer, 'identity')), 'content-type': 'application/json' };
    const reply = await this.upstreams.request(
      'identity',
      { method: 'POST', path: PATH, headers, body: JSON.stringify(question) },
      { idempotent: true },
    );
    const text = await textOf(reply);
    if (reply.statusCode >= 300)
      throw new ProblemError('unavailable', 'Credentials cannot be verified at the moment; try again.', {
        retryAfterSeconds: 2,
      });
    const answer = JSON.parse(text) as IntrospectionResponse;
    if (!answer.active) throw new ProblemError(answer.code, MESSAGES[answer.code]);
    return { principal: answer.principal, version: sha256Hex(text) };
  }

  /** Also drops introspections under way: their answers may predate the change. */
  private forget({ sessionIds, userIds, apiKeyIds }: PrincipalsChange): void {
    const gone = new Set([...sessionIds, ...apiKeyIds]);
    const people = new Set(userIds);
    this.asking.clear();
    for (const [
      key,
      {
        identified: { principal },
      },
    ] of this.known.entries()) {
      if (gone.has(key) || gone.has(principal.id) || people.has(principal.userId)) this.known.delete(key);
    }
  }
}
