const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const DAY_MS = 86_400_000;

/** A provider of SAML holds this many, so that a new one can come before the old one goes. */
export const MAX_CERTIFICATES = 2;

const pemOf = (base64: string): string =>
  `-----BEGIN CERTIFICATE-----\n${base64.replace(/\s+/g, '')}\n-----END CERTIFICATE-----`;

/** The certificates in a text, each in PEM, in the order in which the API describes them. */
export function certificatesIn(text: string | null | undefined): readonly string[] {
  const written = (text ?? '').trim();
  if (written.includes('BEGIN')) return written.match(PEM) ?? [];
  const blocks = written.split(/,|\n\s*\n/).filter((block) => block.trim() !== '');
  return blocks.map(pemOf);
}

const textOf = (certificates: readonly string[]): string | null => certificates.join('\n') || null;

export const withCertificate = (text: string | null | undefined, added: string): string | null =>
  textOf([...certificatesIn(text), ...certificatesIn(added)]);

export const withoutCertificate = (text: string | null | undefined, index: number): string | null =>
  textOf(certificatesIn(text).filter((_, at) => at !== index));

/** Whole days until an instant; negative after it. */
export const daysUntil = (instant: string, now: number): number => Math.floor((Date.parse(instant) - now) / DAY_MS);

const SOON_DAYS = 30;

export function certificateState(days: number): 'expired' | 'soon' | 'valid' {
  if (days < 0) return 'expired';
  return days <= SOON_DAYS ? 'soon' : 'valid';
}

interface ReadCertificate {
  readonly notAfter: string;
  readonly pem?: string;
}

/** Those of a provider's metadata that it will sign with: the ones that last longest, without the expired ones. */
export function trustedIn(certificates: readonly ReadCertificate[], now: number): string {
  const good = certificates.filter(({ notAfter }) => Date.parse(notAfter) > now);
  const longest = good.toSorted((one, other) => Date.parse(other.notAfter) - Date.parse(one.notAfter));
  return longest
    .slice(0, MAX_CERTIFICATES)
    .map(({ pem = '' }) => pem.trim())
    .join('\n');
}
