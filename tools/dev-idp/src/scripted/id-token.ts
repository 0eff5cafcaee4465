import { createPublicKey, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { CompactSign, exportJWK } from 'jose';
import type { Claims, IdTokenScript } from './script.ts';

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
