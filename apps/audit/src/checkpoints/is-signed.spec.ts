import { canonicalJson } from '@gatehouse/crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { CompactSign, createLocalJWKSet, type CryptoKey, exportJWK, generateKeyPair } from 'jose';
import { isSigned, type Verifier } from './published-checkpoints.ts';

describe('a checkpoint', () => {
  let key: CryptoKey;
  let keys: Verifier;
  beforeAll(async () => {
    const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
    key = pair.privateKey;
    keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k' }] });
  });

  it.each([
    ['the type of checkpoints', { typ: 'gatehouse-checkpoint+jws' }, true],
    ['the type of access tokens', { typ: 'at+jwt' }, false],
    ['the type of offline rules', { typ: 'gatehouse-offline-rules+jwt' }, false],
    ['no type', {}, false],
  ])('AUD-35 counts by its signature and type: %s', async (_, header, counts) => {
    expect(await isSigned({ ...CHECKPOINT, jws: await signed(header) }, keys)).toBe(counts);
  });

  const signed = (header: object): Promise<string> =>
    new CompactSign(Buffer.from(canonicalJson(CHECKPOINT)))
      .setProtectedHeader({ alg: 'EdDSA', kid: 'k', ...header })
      .sign(key);
});

const CHECKPOINT = { chain: 'a', length: 3, head: '1'.repeat(64), signedAt: '2026-01-31T09:30:00.000Z' };
