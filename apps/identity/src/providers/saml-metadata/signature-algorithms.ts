import { type BinaryLike, createHash, createPublicKey, createVerify, type KeyLike } from 'node:crypto';
import { createOptionalCallbackFunction, type HashAlgorithm, type SignatureAlgorithm, SignedXml } from 'xml-crypto';
import { ALGORITHMS_OF_KEYS } from '../configuration/certificates/certificate-keys.ts';

const MORE = 'http://www.w3.org/2001/04/xmldsig-more#';
const SHA384 = `${MORE}sha384`;

/** The library passes the provider's certificate as PEM. */
const asP1363 = (key: KeyLike) => ({ key: createPublicKey(String(key)), dsaEncoding: 'ieee-p1363' as const });

/** XML signatures hold the two numbers of an ECDSA signature one after the other, as IEEE P1363 does (RFC 4050 3.3). */
const verifierOf = (name: string, hash: string): new () => SignatureAlgorithm =>
  class implements SignatureAlgorithm {
    readonly getAlgorithmName = (): string => name;
    readonly getSignature = createOptionalCallbackFunction((): string => {
      throw new Error('this product signs no responses');
    });
    readonly verifySignature = createOptionalCallbackFunction(
      (material: BinaryLike, key: KeyLike, signature: string): boolean =>
        createVerify(hash).update(material).verify(asP1363(key), signature, 'base64'),
    );
  };

class Sha384 implements HashAlgorithm {
  readonly getAlgorithmName = (): string => SHA384;
  readonly getHash = (xml: string): string => createHash('sha384').update(xml, 'utf8').digest('base64');
}

const ADDED = Object.fromEntries(
  [
    [`${MORE}ecdsa-sha256`, 'sha256'] as const,
    [`${MORE}ecdsa-sha384`, 'sha384'] as const,
    [`${MORE}rsa-sha384`, 'sha384'] as const,
  ].map(([name, hash]) => [name, verifierOf(name, hash)]),
);

export const SIGNATURE_ALGORITHMS: ReadonlySet<string> = new Set(Object.values(ALGORITHMS_OF_KEYS).flat());
export const DIGEST_ALGORITHMS: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmlenc#sha256',
  SHA384,
  'http://www.w3.org/2001/04/xmlenc#sha512',
]);

type Finder = (this: SignedXml, name: string) => unknown;

/** `node-saml` makes its own `SignedXml`, whose tables lack these algorithms; they are added when one is looked up. */
function extend(method: 'findSignatureAlgorithm' | 'findHashAlgorithm', add: (signed: SignedXml) => void): void {
  const find = Reflect.get(SignedXml.prototype, method) as Finder;
  Reflect.set(SignedXml.prototype, method, function (this: SignedXml, name: string) {
    add(this);
    return find.call(this, name);
  });
}

/** Teaches the library, in this process, the algorithms that it lacks. */
export function addAlgorithms(): void {
  extend('findSignatureAlgorithm', (signed) => {
    signed.SignatureAlgorithms = { ...ADDED, ...signed.SignatureAlgorithms };
  });
  extend('findHashAlgorithm', (signed) => {
    signed.HashAlgorithms = { [SHA384]: Sha384, ...signed.HashAlgorithms };
  });
}
