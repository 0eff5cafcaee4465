import { CompactSign, exportJWK } from 'jose';
import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

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

type KeyKind = 'rsa' | 'ec';
interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}
type KeyPair = Readonly<Record<KeyKind, SigningKey>>;

/** The provider's current keys, and a second pair that it never publishes. */
export interface SigningKeys {
  own: KeyPair;
  readonly foreign: KeyPair;
}

export const newSigningKeys = (): SigningKeys => ({ own: newKeyPair(), foreign: newKeyPair() });

export const newKeyPair = (): KeyPair => ({
  rsa: { kid: newKid(), privateKey: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey },
  ec: { kid: newKid(), privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey },
});

const newKid = (): string => randomBytes(6).toString('base64url');

export async function publicJwks({ own }: SigningKeys): Promise<{ keys: object[] }> {
  const publish = async ({ kid, privateKey }: SigningKey, alg: string) => ({
    ...(await exportJWK(createPublicKey(privateKey))),
    kid,
    alg,
    use: 'sig',
  });
  return { keys: await Promise.all([publish(own.rsa, 'RS256'), publish(own.ec, 'ES256')]) };
}

/** The RSA public key as PEM: what a confused verifier would take for an HMAC secret. */
export const publicPem = ({ own }: SigningKeys): string =>
  createPublicKey(own.rsa.privateKey).export({ type: 'spki', format: 'pem' }).toString();

/** Makes the ID token that the script asks for, valid or not. */
export async function mintIdToken(
  regular: Claims,
  script: IdTokenScript,
  keys: SigningKeys,
  clientSecret: string,
): Promise<string> {
  const { alg = 'RS256', key = 'own', mutate = (token) => token } = script;
  const kind: KeyKind = alg === 'ES256' ? 'ec' : 'rsa';
  const header = { alg, typ: 'JWT', kid: keys.own[kind].kid, ...script.header };
  const payload = Buffer.from(JSON.stringify(script.claims?.(regular) ?? regular));
  if (alg === 'none') {
    return mutate(`${Buffer.from(JSON.stringify(header)).toString('base64url')}.${payload.toString('base64url')}.`);
  }
  const signingKey = alg === 'HS256' ? Buffer.from(script.hmacKey ?? clientSecret) : keys[key][kind].privateKey;
  return mutate(await new CompactSign(payload).setProtectedHeader(header).sign(signingKey));
}

/** Changes one byte of the signature, leaving a well-formed token. */
export function breakSignature(token: string): string {
  const [header, payload, signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1;
  return `${header}.${payload}.${bytes.toString('base64url')}`;
}
