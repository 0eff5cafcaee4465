import { createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** A signed statement: after `length` entries the chain ended in `head`. */
export interface Checkpoint {
  readonly chain: string;
  readonly length: number;
  readonly head: string;
  readonly signedAt: string;
  readonly jws: string;
}

export interface KeySet {
  readonly keys: readonly (JsonWebKey & { readonly kid?: string })[];
}

/** What `GET /audit-logs/checkpoints` answers. */
export interface CheckpointFile {
  readonly data: readonly Checkpoint[];
  readonly jwks: KeySet;
}

export type KeysById = ReadonlyMap<string, KeyObject>;

export const keysById = ({ keys }: KeySet): KeysById =>
  new Map(keys.map((key) => [key.kid ?? '', createPublicKey({ key, format: 'jwk' })]));

const TYPE = 'gatehouse-checkpoint+jws';

const decode = (part: string): Buffer => Buffer.from(part, 'base64url');

/**
 * Whether the compact JWS is of the type of checkpoints, is signed with one of the known Ed25519 keys and contains
 * exactly the checkpoint (RFC 7515 5.2, RFC 8037).
 */
export function isSigned({ jws, chain, length, head, signedAt }: Checkpoint, keys: KeysById): boolean {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  try {
    const { alg, kid, typ } = JSON.parse(decode(header).toString()) as Record<'alg' | 'kid' | 'typ', string>;
    const key = keys.get(kid);
    const isGenuine =
      alg === 'EdDSA' &&
      typ === TYPE &&
      key?.asymmetricKeyType === 'ed25519' &&
      verify(null, Buffer.from(`${header}.${payload}`), key, decode(signature));
    return isGenuine && decode(payload).toString() === canonicalJson({ chain, length, head, signedAt });
  } catch {
    return false;
  }
}
