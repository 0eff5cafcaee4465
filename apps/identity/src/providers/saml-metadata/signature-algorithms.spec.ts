import { describe, expect, it } from '@jest/globals';
import { constants, createHash, generateKeyPairSync, sign, type X509Certificate } from 'node:crypto';
import { SignedXml } from 'xml-crypto';
import { ALGORITHMS_OF_KEYS, keyFault } from '../configuration/certificates/certificate-keys.ts';
import { addAlgorithms, DIGEST_ALGORITHMS, SIGNATURE_ALGORITHMS } from './signature-algorithms.ts';

addAlgorithms();

describe('the list of keys and algorithms', () => {
  const kinds = Object.keys(ALGORITHMS_OF_KEYS) as Kind[];

  it.each(kinds.flatMap((kind) => ALGORITHMS_OF_KEYS[kind]!.map((algorithm) => [kind, algorithm] as const)))(
    'a key of the kind %s that is accepted verifies what it signs by %s (SSO-83)',
    (kind, algorithm) => {
      const { publicKey, privateKey } = PAIRS[kind]();
      expect(keyFault({ publicKey } as X509Certificate)).toBeNull();
      const { verifySignature } = library.findSignatureAlgorithm(algorithm);
      const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
      const signature = signed(algorithm, privateKey);
      expect([verifySignature(MATERIAL, pem, signature), verifySignature('another', pem, signature)]).toEqual([
        true,
        false,
      ]);
    },
  );

  it('is all that is verified, and keys that are not in it are refused when they are saved (SSO-83)', () => {
    expect([...SIGNATURE_ALGORITHMS].sort()).toEqual([...new Set(Object.values(ALGORITHMS_OF_KEYS).flat())].sort());
    for (const { publicKey } of [
      generateKeyPairSync('ed25519'),
      generateKeyPairSync('ec', { namedCurve: 'secp521r1' }),
      generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
    ])
      expect(keyFault({ publicKey } as X509Certificate)).not.toBeNull();
  });

  it.each([...DIGEST_ALGORITHMS])('the library digests by %s', (algorithm) => {
    const hash = /sha\d+/.exec(algorithm)?.[0] ?? '';
    expect(library.findHashAlgorithm(algorithm).getHash('x')).toBe(createHash(hash).update('x').digest('base64'));
  });
});

const RSA = { modulusLength: 2048 };
const PAIRS = {
  rsa: () => generateKeyPairSync('rsa', RSA),
  'rsa-pss': () => generateKeyPairSync('rsa-pss', RSA),
  prime256v1: () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  secp384r1: () => generateKeyPairSync('ec', { namedCurve: 'secp384r1' }),
} as const;
type Kind = keyof typeof PAIRS;
const MATERIAL = 'what the provider signed';

interface Library {
  readonly findSignatureAlgorithm: (name: string) => {
    verifySignature(material: string, key: string, signature: string): boolean;
  };
  readonly findHashAlgorithm: (name: string) => { getHash(text: string): string };
}
/** Its table of algorithms, which is private to it. */
const signedXml: object = new SignedXml();
const library = signedXml as Library;

/** How a provider signs by an algorithm of the list. */
function signed(algorithm: string, key: ReturnType<(typeof PAIRS)['rsa']>['privateKey']): string {
  const hash = /sha(256|384|512)/.exec(algorithm)?.[0] ?? '';
  const pss = algorithm.endsWith('MGF1') && { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  const ecdsa = algorithm.includes('ecdsa') && { dsaEncoding: 'ieee-p1363' as const };
  return sign(hash, Buffer.from(MATERIAL), { key, ...pss, ...ecdsa }).toString('base64');
}
