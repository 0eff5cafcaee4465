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

/** How a token lacks its key among those that we have: the provider may have rotated, or another party signed. */
type Lack = 'unknown_id' | 'known_id' | 'no_id';

function lackIn(error: unknown, token: string): Lack | null {
  if (error instanceof errors.JWKSNoMatchingKey) return 'unknown_id';
  if (!(error instanceof errors.JWSSignatureVerificationFailed)) return null;
  return decodeProtectedHeader(token).kid === undefined ? 'no_id' : 'known_id';
}

export interface KeySetSource {
  readonly url: URL;
  readonly load: FetchImplementation;
  /** How long a fetched set is used without another look. */
  readonly maxAgeMs: number;
}

/**
 * The published keys of one provider. A token whose key is not among them has them fetched again, so that a rotation
 * just
 * before signing is no failure; a fetch that did not bring the key is the last one for tokens that lack theirs in the
 * same
 * way for a minute, however many there are.
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

  /** @throws Error of jose for a token that does not hold */
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

  /** Counts as in vain until the token has been verified with the keys that came. */
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
