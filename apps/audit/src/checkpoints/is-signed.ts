import { compactVerify, type createLocalJWKSet } from 'jose';
import { canonicalJson } from '@gatehouse/crypto';
import type { Checkpoint } from './checkpoint.event.ts';
import { ALGORITHM, CHECKPOINT_TYPE } from './checkpoint-keys.ts';

export type Verifier = ReturnType<typeof createLocalJWKSet>;

/** Whether one of the keys has signed exactly the members of the checkpoint. */
export async function isSigned({ jws, chain, length, head, signedAt }: Checkpoint, keys: Verifier): Promise<boolean> {
  try {
    const { payload, protectedHeader } = await compactVerify(jws, keys, { algorithms: [ALGORITHM] });
    if (protectedHeader.typ !== CHECKPOINT_TYPE) return false;
    return Buffer.from(payload).toString() === canonicalJson({ chain, length, head, signedAt });
  } catch {
    return false;
  }
}
