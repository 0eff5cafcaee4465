import type { ProviderWarningRecord } from '@gatehouse/contracts-identity';
import type { KeyObject, X509Certificate } from 'node:crypto';
import { readCertificates } from './saml-certificates.ts';
import type { SsoProvider } from '../store/sso-provider.entity.ts';

/** NIST SP 800-57 and SP 800-131A: shorter keys can be broken now or soon. */
const MIN_RSA_BITS = 2_048;
const MIN_RSA_EXPONENT = 3n;
const MORE = 'http://www.w3.org/2001/04/xmldsig-more#';
const PSS = 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1';
const ECDSA = [`${MORE}ecdsa-sha256`, `${MORE}ecdsa-sha384`];

/**
 * The one list of what is accepted as configuration and what is verified (SSO-83): the algorithms, SHA-256 or stronger,
 * with which a key of each kind or curve may sign.
 */
export const ALGORITHMS_OF_KEYS: Readonly<Record<string, readonly string[]>> = {
  rsa: [`${MORE}rsa-sha256`, `${MORE}rsa-sha384`, `${MORE}rsa-sha512`, PSS],
  'rsa-pss': [PSS],
  prime256v1: ECDSA,
  secp384r1: ECDSA,
};

type KeyDetails = NonNullable<KeyObject['asymmetricKeyDetails']>;
type SamlTrust = Pick<SsoProvider, 'certificate' | 'weakKeysUntil'>;

/** A certificate's key is too weak to trust, or not secret; the message is shown to an administrator. */
export class WeakKey extends Error {}

function rsaFault({ publicExponent = 0n, modulusLength = 0 }: KeyDetails): string | null {
  if (publicExponent < MIN_RSA_EXPONENT) return 'an RSA key with the exponent 1';
  return modulusLength < MIN_RSA_BITS ? `an RSA key of ${modulusLength} bits` : null;
}

/** Returns why sign-ins signed with a certificate's key are refused, or null. */
export function keyFault({ publicKey }: X509Certificate): string | null {
  const { asymmetricKeyType: type = 'unknown', asymmetricKeyDetails: details = {} } = publicKey;
  const { namedCurve: curve = type } = details;
  if (!Object.hasOwn(ALGORITHMS_OF_KEYS, curve))
    return type === 'ec' ? `an EC key on the curve ${curve}` : `a key of the kind ${type}`;
  return type === 'ec' ? null : rsaFault(details);
}

/**
 * Requires strong keys of certificates that are new to the provider. Stored weak certificates may remain beside a new
 * one until their grace period ends, so that a provider can roll over.
 * @param known the certificates that are stored
 * @throws WeakKey; Error for a text that holds no certificates
 */
export function requireStrongKeys(text: string, known: string | null): void {
  if (text.includes('PRIVATE KEY'))
    throw new WeakKey('A private key is beside the certificate: enter the certificate alone, and replace that key.');
  const stored = new Set(known === null ? [] : readCertificates(known).map(({ fingerprint256 }) => fingerprint256));
  for (const certificate of readCertificates(text)) {
    const fault = keyFault(certificate);
    if (fault && !stored.has(certificate.fingerprint256)) {
      throw new WeakKey(
        `The certificate ${certificate.subject} has ${fault}; keys must be RSA of at least ${MIN_RSA_BITS} bits, or on the curve P-256 or P-384.`,
      );
    }
  }
}

/** Returns the certificates (PEM) that may verify a sign-in now: valid ones, weak ones until the grace period ends. */
export function signingCertificates(
  { certificate, weakKeysUntil }: SamlTrust,
  now = Date.now(),
): { strong: string[]; weak: string[] } {
  const usable = readCertificates(certificate ?? '').filter((one) => usableUntil(one, weakKeysUntil) > now);
  const pems = (isWeak: boolean): string[] => usable.filter((one) => (keyFault(one) !== null) === isWeak).map(String);
  return { strong: pems(false), weak: pems(true) };
}

/** Returns warnings about certificates that were stored before weak keys were refused. */
export function weakKeyWarnings({ certificate, weakKeysUntil }: SamlTrust): ProviderWarningRecord[] {
  if (!certificate) return [];
  const from = weakKeysUntil ? `are refused from ${weakKeysUntil.toISOString().slice(0, 10)}` : 'are refused';
  return readCertificates(certificate).flatMap((one) => {
    const fault = keyFault(one);
    const detail = `The signing certificate ${one.subject} has ${fault}. Sign-ins that it signs ${from}.`;
    return fault ? [{ code: 'saml_certificate_weak', detail: detail.slice(0, 1_000) }] : [];
  });
}

/** Returns the time (ms since 1970) until which the certificate can verify sign-ins. */
export function usableUntil(certificate: X509Certificate, weakKeysUntil: Date | null): number {
  const expiry = Date.parse(certificate.validTo);
  return keyFault(certificate) === null ? expiry : Math.min(expiry, weakKeysUntil?.getTime() ?? 0);
}
