import type { SamlCertificateRecord } from '@gatehouse/contracts-identity';
import { X509Certificate } from 'node:crypto';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const MAX_CERTIFICATES = 2;

const pemOf = (base64: string): string =>
  `-----BEGIN CERTIFICATE-----\n${(base64.match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`;

/**
 * Parses the signing certificates of a SAML provider: consecutive PEM blocks, even on one line, or bare base64
 * separated by commas or blank lines. Two certificates allow a rollover.
 * @throws Error unless the text consists of one or two certificates
 */
export function readCertificates(text: string): X509Certificate[] {
  const blocks = text.includes('BEGIN') ? (text.match(PEM) ?? []) : text.split(/,|\n\s*\n/);
  const bare = blocks.map((block) => block.replace(/-----[^-]+-----|\s+/g, '')).filter(Boolean);
  if (bare.length === 0 || bare.length > MAX_CERTIFICATES) throw new Error('expected one or two certificates');
  return bare.map((base64) => new X509Certificate(pemOf(base64)));
}

export const pemsOf = (text: string): string[] => readCertificates(text).map((certificate) => certificate.toString());

/** What administrators see of a certificate. */
export const certificateRecordOf = (certificate: X509Certificate): SamlCertificateRecord => ({
  subject: certificate.subject.slice(0, 1_000),
  notBefore: new Date(certificate.validFrom).toISOString(),
  notAfter: new Date(certificate.validTo).toISOString(),
  sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
});
