import {
  decodeProtectedHeader,
  errors,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyOptions,
  type ProtectedHeaderParameters,
} from 'jose';
import { parse } from 'secure-json-parse';

const MINUTE_MS = 60_000;
const MAX_TRIED = 16;

/** Why no cached key verifies a token: the provider may have rotated its keys, or another party signed the token. */
type MissReason = 'unknown_id' | 'known_id' | 'no_id';

function missReason(error: unknown, token: string): MissReason | null {
  if (error instanceof errors.JWKSNoMatchingKey) return 'unknown_id';
  if (!(error instanceof errors.JWSSignatureVerificationFailed)) return null;
  return decodeProtectedHeader(token).kid ? 'known_id' : 'no_id';
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a signature needs of a published key, its kid, and what the key says about its use. */
interface PublishedKey {
  readonly id: unknown;
  readonly alg: unknown;
  readonly use: unknown;
  readonly jwk: JWK;
}

const MATERIAL = ['kty', 'crv', 'x', 'y', 'n', 'e'] as const;

function publishedKey(key: object): PublishedKey {
  // Some providers publish members that they do not use as null or as an empty text.
  const member = (name: string): unknown => Reflect.get(key, name) || undefined;
  const jwk = Object.fromEntries(
    MATERIAL.map((name) => [name, member(name)]).filter(([, value]) => value !== undefined),
  );
  return { id: member('kid'), alg: member('alg'), use: member('use'), jwk: jwk as JWK };
}

/** @throws Error for a text that is no key set; members of the set that are no keys are passed over */
function keysIn(text: string): PublishedKey[] {
  const set: unknown = parse(text, { protoAction: 'remove', constructorAction: 'remove' });
  const keys: unknown = isObject(set) ? Reflect.get(set, 'keys') : undefined;
  if (!Array.isArray(keys)) throw new errors.JWKSInvalid('the answer is no key set');
  return keys.filter(isObject).map(publishedKey);
}

/** RFC 7518 3.1, RFC 8037 3.1: the kind of key that an algorithm uses. */
const KIND_OF: Readonly<Record<string, Pick<JWK, 'kty' | 'crv'>>> = {
  RS256: { kty: 'RSA' },
  PS256: { kty: 'RSA' },
  ES256: { kty: 'EC', crv: 'P-256' },
  ES384: { kty: 'EC', crv: 'P-384' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
};

const isKind = (jwk: JWK, { kty, crv = jwk.crv }: Pick<JWK, 'kty' | 'crv'>): boolean =>
  jwk.kty === kty && jwk.crv === crv;
/** RFC 9864 gives `EdDSA` with this curve a name of its own. */
const isNamed = (alg: unknown, algorithm: string): boolean =>
  alg === undefined || alg === algorithm || (algorithm === 'EdDSA' && alg === 'Ed25519');

function fits({ alg, use, jwk }: PublishedKey, algorithm: string): boolean {
  const kind = KIND_OF[algorithm];
  return kind !== undefined && isKind(jwk, kind) && isNamed(alg, algorithm) && (use === undefined || use === 'sig');
}

/**
 * The keys that may have signed a token (SSO-85): those of its kid, then those without one; for a token without a kid,
 * every key of its kind. Each once.
 */
function candidates(keys: readonly PublishedKey[], { kid, alg = '' }: ProtectedHeaderParameters): JWK[] {
  const fitting = keys.filter((key) => fits(key, alg));
  const chosen = kid
    ? [...fitting.filter(({ id }) => id === kid), ...fitting.filter(({ id }) => id === undefined)]
    : fitting;
  const distinct = new Map(chosen.map(({ jwk }) => [JSON.stringify(jwk), jwk]));
  return [...distinct.values()].slice(0, MAX_TRIED);
}

/** Whether another key may still verify the token: this one did not, or cannot be used at all. */
const isOfKey = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) || error instanceof errors.JWSSignatureVerificationFailed;

async function verifyWithAny(
  token: string,
  keys: readonly PublishedKey[],
  expected: JWTVerifyOptions,
): Promise<JWTPayload> {
  const header = decodeProtectedHeader(token);
  if (!expected.algorithms?.includes(header.alg ?? ''))
    throw new errors.JOSEAlgNotAllowed('the algorithm of the token is not allowed');
  let fault: unknown = new errors.JWKSNoMatchingKey();
  for (const jwk of candidates(keys, header)) {
    try {
      return (await jwtVerify(token, await importJWK(jwk, header.alg), expected)).payload;
    } catch (error) {
      if (!isOfKey(error)) throw error;
      if (error instanceof errors.JWSSignatureVerificationFailed) fault = error;
    }
  }
  throw fault;
}

export interface KeySetSource {
  /** Fetches the key set. */
  readonly load: () => Promise<string>;
  /** How long a fetched key set is used before it is fetched again. */
  readonly maxAgeMs: number;
}

/**
 * The published keys of one provider. When a token's key is not in the cached set, the set is fetched again, so that a
 * key rotation just before signing does not fail the sign-in. When the fetch does not bring the key, tokens that miss
 * theirs for the same reason trigger no other fetch for a minute.
 */
export class ProviderKeys {
  private keys: readonly PublishedKey[] = [];
  private loadedAt = -Infinity;
  private loads = 0;
  private readonly lastFailedReload = new Map<MissReason, number>();
  private pending: Promise<void> | null = null;

  constructor(private readonly source: KeySetSource) {}

  /** @throws jose's error when the token is invalid */
  async verify(token: string, expected: JWTVerifyOptions): Promise<JWTPayload> {
    const known = this.loads;
    if (performance.now() - this.loadedAt > this.source.maxAgeMs) await this.reload();
    try {
      return await verifyWithAny(token, this.keys, expected);
    } catch (error) {
      const reason = missReason(error, token);
      if (!reason || !(await this.hasOtherKeysThan(known, reason))) throw error;
      const payload = await verifyWithAny(token, this.keys, expected);
      this.lastFailedReload.delete(reason);
      return payload;
    }
  }

  /** Counts the fetch as unsuccessful until a fetched key has verified the token. */
  private async hasOtherKeysThan(known: number, reason: MissReason): Promise<boolean> {
    const isUnchanged = this.loads === known;
    const sinceLast = performance.now() - (this.lastFailedReload.get(reason) ?? -Infinity);
    if (isUnchanged && !this.pending && sinceLast < MINUTE_MS) return false;
    this.lastFailedReload.set(reason, performance.now());
    if (!isUnchanged && !this.pending) return true;
    await this.reload();
    return true;
  }

  private reload(): Promise<void> {
    this.pending ??= this.read().finally(() => {
      this.pending = null;
    });
    return this.pending;
  }

  private async read(): Promise<void> {
    this.loads++;
    this.keys = keysIn(await this.source.load());
    this.loadedAt = performance.now();
  }
}
