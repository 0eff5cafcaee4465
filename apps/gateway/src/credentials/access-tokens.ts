import { CLOCK_TOLERANCE_SECONDS, type InternalIdentitySigner } from '@gatehouse/auth';
import { API_PREFIX, type EventEnvelope, ProblemError } from '@gatehouse/contracts-core';
import {
  ACCESS_TOKEN_AUDIENCE,
  ACCESS_TOKEN_ISSUER,
  ACCESS_TOKEN_TYPE,
  type AccessTokenClaims,
  type SigningKeysDrop,
  SigningKeysDropped,
} from '@gatehouse/contracts-identity';
import { errors, type JSONWebKeySet, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { EventEmitter } from 'node:events';
import { textOf } from '../upstreams/exchange.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import { type EventContinuity, MAX_AGE_MS } from './event-continuity.ts';
import { KeySet } from './key-set.ts';

import { asGateway } from './introspection.ts';

const JWKS_PATH = `${API_PREFIX}/.well-known/jwks.json`;
/** Short, so that a frozen replica of identity does not delay requests: a retry goes to another replica. */
const KEYS_TIMEOUT_MS = 1_000;
const OK = 200;
const VERIFIED_TOKENS = 20_000;

const VERIFY = {
  issuer: ACCESS_TOKEN_ISSUER,
  audience: ACCESS_TOKEN_AUDIENCE,
  typ: ACCESS_TOKEN_TYPE,
  algorithms: ['ES256'],
  requiredClaims: ['sub', 'sid', 'exp', 'iat'],
};

/** Verifies access tokens by the signing keys of identity (RFC 9068 4). */
export class AccessTokens {
  private readonly verified = new LRUCache<string, string>({ max: VERIFIED_TOKENS });
  /** Keys that were dropped in an emergency; a response already under way may still contain them. */
  private readonly dropped = new Set<string>();
  private readonly keys: KeySet;
  private readonly keyOf: JWTVerifyGetKey = (header, token) => {
    if (this.dropped.has(header.kid ?? '')) throw new errors.JWKSNoMatchingKey();
    return this.keys.keyOf(header, token);
  };

  /** @param onClockFault called for each token whose issue time lies in the future by this host's clock */
  constructor(
    private readonly upstreams: Upstreams,
    private readonly signer: InternalIdentitySigner,
    events: EventContinuity,
    private readonly onClockFault: () => void,
  ) {
    this.keys = new KeySet(() => this.publishedKeys(), events.maySpeakFor);
    events.bus.listen(SigningKeysDropped, ({ data }: EventEnvelope<SigningKeysDrop>) => this.forget(data));
  }

  /**
   * @returns the session that the token belongs to
   * @throws ProblemError token_expired, token_invalid, or unavailable when the keys cannot be had
   */
  async sessionOf(token: string): Promise<string> {
    const known = this.verified.get(token);
    if (known) return known;
    try {
      const { payload } = await jwtVerify<AccessTokenClaims>(token, this.keyOf, VERIFY);
      this.requireIssued(payload.iat ?? 0);
      const remainingMs = (payload.exp ?? 0) * 1000 - Date.now();
      if (remainingMs > 0) this.verified.set(token, payload.sid, { ttl: Math.min(remainingMs, MAX_AGE_MS) });
      return payload.sid;
    } catch (error) {
      throw problemErrorOf(error);
    }
  }

  private async publishedKeys(): Promise<JSONWebKeySet> {
    const timeout = new EventEmitter();
    const timer = setTimeout(() => timeout.emit('close'), KEYS_TIMEOUT_MS);
    try {
      const reply = await this.upstreams.request(
        'identity',
        { method: 'GET', path: JWKS_PATH, headers: await asGateway(this.signer, 'identity') },
        { client: timeout },
      );
      if (reply.statusCode !== OK) throw new Error(`identity answered ${reply.statusCode} when asked for its keys`);
      return JSON.parse(await textOf(reply)) as JSONWebKeySet;
    } finally {
      clearTimeout(timer);
    }
  }

  private forget({ kids }: SigningKeysDrop): void {
    for (const kid of kids) this.dropped.add(kid);
    this.verified.clear();
  }

  /** The signature is valid, so the clock at fault is not the client's. */
  private requireIssued(issuedAtSeconds: number): void {
    if (issuedAtSeconds * 1000 <= Date.now() + CLOCK_TOLERANCE_SECONDS * 1000) return;
    this.onClockFault();
    throw unverifiable();
  }
}

const unverifiable = (): ProblemError =>
  new ProblemError('unavailable', 'Access tokens cannot be verified at the moment; try again.', {
    retryAfterSeconds: 2,
  });

/** Errors caused by the token, unlike errors of fetching the keys. */
const TOKEN_FAULTS = [
  errors.JWTClaimValidationFailed,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
];

function problemErrorOf(error: unknown): Error {
  if (error instanceof ProblemError) return error;
  if (error instanceof errors.JWTExpired) return new ProblemError('token_expired', 'The access token has expired.');
  if (TOKEN_FAULTS.some((fault) => error instanceof fault))
    return new ProblemError('token_invalid', 'The access token is not valid.');
  return unverifiable();
}
