import { KeyUsageFlags, KeyUsagesExtension, X509CertificateGenerator } from '@peculiar/x509';
import { KeyObject, webcrypto } from 'node:crypto';

const ALGORITHM = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 3_072,
  publicExponent: new Uint8Array([1, 0, 1]),
} as const;
const YEARS = 10;
/** Identity providers refuse certificates that say nothing of keys. */
const USAGES = new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, true);

export interface EncryptionKey {
  /** In PEM. */
  readonly certificate: string;
  readonly privateKey: string;
}

/** A fresh RSA key with a self-signed certificate over it, the form in which identity providers take public keys. */
export async function newEncryptionKey(now = new Date()): Promise<EncryptionKey> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const notAfter = new Date(now);
  notAfter.setUTCFullYear(now.getUTCFullYear() + YEARS);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=SAML assertion encryption',
    notBefore: now,
    notAfter,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [USAGES],
  });
  return {
    certificate: `${certificate.toString('pem')}\n`,
    privateKey: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
