import 'reflect-metadata';
import { KeyObject, webcrypto } from 'node:crypto';
import { X509CertificateGenerator } from '@peculiar/x509';

export interface SamlKey {
  readonly privateKeyPem: string;
  readonly certificatePem: string;
}

const DAY_MS = 86_400_000;

type Curve = 'P-256' | 'P-384' | 'P-521';

export interface SamlKeyOptions {
  readonly commonName?: string;
  /** May be negative: an expired certificate. */
  readonly validDays?: number;
  /** The bits of an RSA key, or an elliptic curve. */
  readonly kind?: number | Curve;
}

const HASHED = { hash: 'SHA-256' } as const;
const algorithmOf = (kind: number | Curve) =>
  typeof kind === 'number'
    ? { name: 'RSASSA-PKCS1-v1_5', ...HASHED, modulusLength: kind, publicExponent: new Uint8Array([1, 0, 1]) }
    : { name: 'ECDSA', ...HASHED, namedCurve: kind };

/** A fresh key, RSA of 2048 bits by default, with a self-signed certificate over it. */
export async function newSamlKey({
  commonName = 'Demo identity provider',
  validDays = 365,
  kind = 2048,
}: SamlKeyOptions = {}): Promise<SamlKey> {
  const algorithm = algorithmOf(kind);
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const notAfter = new Date(Date.now() + validDays * DAY_MS);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${commonName}`,
    notBefore: new Date(Math.min(Date.now(), notAfter.getTime()) - DAY_MS),
    notAfter,
    keys,
    signingAlgorithm: algorithm,
  });
  const privateKeyPem = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
  return { privateKeyPem, certificatePem: certificate.toString('pem') };
}

/** The base64 inside a PEM, as metadata and KeyInfo want it. */
export const pemBody = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, '');
