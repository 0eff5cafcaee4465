import type { Operator, Principal } from '@gatehouse/contracts-core';
import {
  createLocalJWKSet,
  type CryptoKey,
  errors,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import { LRUCache } from 'lru-cache';

/** The header with the internal identity; the gateway drops a client's header of this name. */
export const IDENTITY_HEADER = 'x-gatehouse-identity';

const ALGORITHM = 'ES256';
/**
 * Who signs: the gateway what it knows of a caller, an operator with a key of their own. Neither is taken for the
 * other.
 */
const SIGNERS = {
  gateway: { issuer: 'gatehouse-gateway', typ: 'gatehouse-internal+jwt' },
  operator: { issuer: 'gatehouse-operator', typ: 'gatehouse-operator+jwt' },
} as const;
type SignerName = keyof typeof SIGNERS;
/**
 * Lifetime of an internal token. The cache returns a token only during the first half, so that none arrives expired.
 */
const LIFETIME_SECONDS = 60;
/**
 * The largest accepted difference between the clocks of two machines. Beyond it every token is refused, and an operator
 * must act.
 */
export const CLOCK_TOLERANCE_SECONDS = 60;
const CACHE_ENTRIES = 20_000;
/** Bytes: the token of a caller with thousands of organisations takes some hundred kilobytes. */
const CACHE_BYTES = 64 * 1024 * 1024;

const EXPECTED = {
  algorithms: [ALGORITHM],
  requiredClaims: ['exp'],
  maxTokenAge: LIFETIME_SECONDS,
  clockTolerance: CLOCK_TOLERANCE_SECONDS,
};

/**
 * The identity that the gateway signs: a principal (null: not signed in) with the client's address, or a service that
 * acts by itself. Operators sign one that names them.
 */
export interface InternalIdentity {
  readonly principal: Principal | null;
  readonly ip: string | null;
  readonly service: string | null;
  readonly operator?: Operator;
}

const OPERATOR_TEXT = /^[^\p{Cc}\p{Cf}]{1,200}$/u;
const isText = (value: unknown): value is string => typeof value === 'string' && OPERATOR_TEXT.test(value.trim());

/** An operator is nothing but that, whatever else the token says. @throws Error if it names no person */
function operatorIdentity({ operator }: Partial<InternalIdentity>): InternalIdentity {
  const { name, ticket = null } = operator ?? {};
  if (!isText(name) || (ticket !== null && !isText(ticket)))
    throw new Error('the token of an operator names no person');
  return { principal: null, ip: null, service: 'operator', operator: { name: name.trim(), ticket } };
}

/** The signer's side. Tokens are cached: signing once per caller, upstream and half minute is enough. */
export class InternalIdentitySigner {
  private readonly tokens = new LRUCache<string, string>({
    max: CACHE_ENTRIES,
    maxSize: CACHE_BYTES,
    sizeCalculation: (token) => token.length,
    ttl: (LIFETIME_SECONDS / 2) * 1000,
  });
  private constructor(
    private readonly key: CryptoKey | Uint8Array,
    private readonly kid: string,
    private readonly signer: SignerName,
  ) {}

  /** @param privateJwk a private ES256 JWK in JSON, with `kid` */
  static async parse(privateJwk: string, signer: SignerName = 'gateway'): Promise<InternalIdentitySigner> {
    const jwk = JSON.parse(privateJwk) as JWK;
    return new InternalIdentitySigner(await importJWK(jwk, ALGORITHM), jwk.kid ?? 'internal', signer);
  }

  /**
   * @param cacheKey distinguishes identities with different content; the same key within 30 s returns the same token
   */
  async tokenFor(audience: string, identity: InternalIdentity, cacheKey: string): Promise<string> {
    const key = `${audience} ${identity.ip ?? ''} ${cacheKey}`;
    const known = this.tokens.get(key);
    if (known) return known;
    const { issuer, typ } = SIGNERS[this.signer];
    const token = await new SignJWT({ ...identity })
      .setProtectedHeader({ alg: ALGORITHM, typ, kid: this.kid })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(`${LIFETIME_SECONDS}s`)
      .sign(this.key);
    this.tokens.set(key, token);
    return token;
  }
}

/**
 * Whether a correctly signed token fails only because of its times. The gateway sends no token that is close to its
 * expiry, so one of the two clocks is wrong.
 */
export const isClockFault = (error: unknown): boolean =>
  (error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed) &&
  ['iat', 'exp'].includes(error.claim);

/** The service's side: accepts only tokens that the gateway, or an operator, signed for this service. */
export class InternalIdentityVerifier {
  private readonly verified = new LRUCache<string, InternalIdentity>({
    max: CACHE_ENTRIES,
    maxSize: CACHE_BYTES,
    sizeCalculation: (_, token) => token.length,
  });
  private readonly keys: ReturnType<typeof createLocalJWKSet>;

  /**
   * @param jwks the signer's public keys, a JWK set in JSON
   * @param onClockFault called for each token that is refused only because of its times
   */
  constructor(
    private readonly audience: string,
    jwks: string,
    private readonly onClockFault: () => void = () => undefined,
    private readonly signer: SignerName = 'gateway',
  ) {
    this.keys = createLocalJWKSet(JSON.parse(jwks) as JSONWebKeySet);
  }

  /** @throws when the token is not a valid one that the signer made for this service */
  async verify(token: string): Promise<InternalIdentity> {
    const known = this.verified.get(token);
    if (known) return known;
    const { payload } = await jwtVerify<InternalIdentity>(token, this.keys, {
      ...EXPECTED,
      ...SIGNERS[this.signer],
      audience: this.audience,
    }).catch((error: unknown) => {
      if (isClockFault(error)) this.onClockFault();
      throw error;
    });
    const identity =
      this.signer === 'operator'
        ? operatorIdentity(payload)
        : { principal: payload.principal, ip: payload.ip, service: payload.service };
    const remainingMs = (payload.exp ?? 0) * 1000 - Date.now();
    if (remainingMs > 0) this.verified.set(token, identity, { ttl: remainingMs });
    return identity;
  }
}
