export type Claims = Record<string, unknown>;
export type Endpoint = 'discovery' | 'jwks' | 'authorize' | 'token' | 'userinfo';
export const ENDPOINTS: readonly Endpoint[] = ['discovery', 'jwks', 'authorize', 'token', 'userinfo'];

/** How one answer departs from the regular one. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Gets the regular document, gives what is sent instead, or a promise of it: an object becomes JSON, a string or
   * Buffer goes out untouched.
   * For `authorize` the document is the query of the way back (`code`, `state`).
   */
  readonly body?: (regular: Claims) => unknown;
  readonly delayMs?: number;
  /** Takes the request and never answers. */
  readonly hang?: boolean;
  /** Tears the connection down instead of answering. */
  readonly reset?: boolean;
}

/** How the ID token departs from a valid RS256 one. */
export interface IdTokenScript {
  /** A claim or header that the function leaves out, or gives as undefined, is absent. */
  readonly claims?: (regular: Claims) => Claims;
  readonly header?: Claims;
  /** Default `RS256`; `HS256` is keyed with `hmacKey` (default the client secret). */
  readonly alg?: 'RS256' | 'PS256' | 'ES256' | 'HS256' | 'none';
  /** `foreign` signs with a key that is not in the JWKS, under the regular `kid`. */
  readonly key?: 'own' | 'foreign';
  readonly hmacKey?: string;
  /** Has the last word on the finished token. */
  readonly mutate?: (token: string) => string;
}

/** `idToken: null` leaves the ID token out of the token response. */
export type Script = Partial<Record<Endpoint, Reply>> & { readonly idToken?: IdTokenScript | null };

/** What is to happen next: single-use overrides in their order, then the standing ones, then the regular answer. */
export class ScriptBook {
  #standing: Script = {};
  readonly #queued: Script[] = [];

  always(script: Script): void {
    this.#standing = { ...this.#standing, ...script };
  }

  once(script: Script): void {
    for (const [part, value] of Object.entries(script)) this.#queued.push({ [part]: value });
  }

  clear(): void {
    this.#standing = {};
    this.#queued.length = 0;
  }

  take<Part extends keyof Script>(part: Part): Script[Part] {
    const position = this.#queued.findIndex((script) => part in script);
    if (position < 0) return this.#standing[part];
    const [script] = this.#queued.splice(position, 1);
    return script?.[part];
  }
}
