import 'reflect-metadata';
import { KeyObject, webcrypto } from 'node:crypto';
import { X509CertificateGenerator } from '@peculiar/x509';

export interface SamlKey { readonly privateKeyPem: string; readonly certificatePem: string }

const DAY_MS = 86_400_000;

/** A fresh RSA key with a self-signed certificate over it. `validDays` may be negative: an expired certificate. */
export async function newSamlKey(commonName = 'Demo identity provider', validDays = 365): Promise<SamlKey> {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
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
