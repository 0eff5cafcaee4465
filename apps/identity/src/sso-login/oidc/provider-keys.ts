import {
  createRemoteJWKSet,
  customFetch,
  decodeProtectedHeader,
  errors,
  type FetchImplementation,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyOptions,
} from 'jose';

const MINUTE_MS = 60_000;

/** Why no cached key verifies a token: the provider may have rotated its keys, or another party signed the token. */
type Lack = 'unknown_id' | 'known_id' | 'no_id';

function lackIn(error: unknown, token: string): Lack | null {
  if (error instanceof errors.JWKSNoMatchingKey) return 'unknown_id';
  if (!(error instanceof errors.JWSSignatureVerificationFailed)) return null;
  return decodeProtectedHeader(token).kid === undefined ? 'no_id' : 'known_id';
}

export interface KeySetSource {
  readonly url: URL;
  readonly load: FetchImplementation;
  /** How long a fetched key set is used before it is fetched again. */
  readonly maxAgeMs: number;
}

/**
 * The published keys of one provider. When a token's key is not in the cached set, the set is fetched again, so that a
 * key rotation just before signing does not fail the sign-in. When the fetch does not bring the key, tokens that lack
 * theirs for the same reason trigger no other fetch for a minute.
 */
export class ProviderKeys {
  private readonly keys: ReturnType<typeof createRemoteJWKSet>;
  private loads = 0;
  private readonly lastInVain = new Map<Lack, number>();
  private pending: Promise<void> | null = null;

  constructor({ url, load, maxAgeMs }: KeySetSource) {
    const counted: FetchImplementation = (...request) => {
      this.loads++;
      return load(...request);
    };
    this.keys = createRemoteJWKSet(url, { [customFetch]: counted, cooldownDuration: Infinity, cacheMaxAge: maxAgeMs });
  }

  /** @throws jose's error when the token is invalid */
  async verify(token: string, expected: JWTVerifyOptions): Promise<JWTPayload> {
    const known = this.loads;
    try {
      return (await jwtVerify(token, this.keys, expected)).payload;
    } catch (error) {
      const lack = lackIn(error, token);
      if (!lack || !(await this.hasOtherKeysThan(known, lack))) throw error;
      const { payload } = await jwtVerify(token, this.keys, expected);
      this.lastInVain.delete(lack);
      return payload;
    }
  }

  /** Counts the fetch as unsuccessful until a fetched key has verified the token. */
  private async hasOtherKeysThan(known: number, lack: Lack): Promise<boolean> {
    const isUnchanged = this.loads === known;
    const sinceLast = performance.now() - (this.lastInVain.get(lack) ?? -Infinity);
    if (isUnchanged && !this.pending && sinceLast < MINUTE_MS) return false;
    this.lastInVain.set(lack, performance.now());
    if (!isUnchanged && !this.pending) return true;
    this.pending ??= this.keys.reload().finally(() => {
      this.pending = null;
    });
    await this.pending;
    return true;
  }
}
