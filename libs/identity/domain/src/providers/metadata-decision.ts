import type { MetadataPolicy, MetadataReason } from '@gatehouse/contracts-identity';

/** A provider may trust this many certificates: the present one and the next. */
export const MAX_TRUSTED_CERTIFICATES = 2;

export interface CertificateFact {
  readonly sha256: string;
  /** Until when it can verify sign-ins, in ms since 1970. */
  readonly validUntil: number;
}

/** What is trusted now, and what was learned of it. */
export interface WatchedProvider {
  readonly entityId: string | null;
  readonly ssoUrl: string | null;
  readonly metadataUrl: string | null;
  readonly metadataPolicy: MetadataPolicy;
  readonly certificates: readonly CertificateFact[];
  /** Certificates that have verified a sign-in. */
  readonly verified: readonly string[];
  /** Certificates about which a person has decided: they are neither added nor dropped by the watch. */
  readonly decided: readonly string[];
}

export interface MetadataContent {
  readonly entityId: string;
  readonly ssoUrl: string;
  readonly certificates: readonly CertificateFact[];
}

/** What the provider would be after the change. */
export interface MetadataProposal {
  readonly isAutomatic: boolean;
  readonly reason: MetadataReason;
  readonly entityId: string | null;
  readonly ssoUrl: string | null;
  /** SHA-256 of the certificates. */
  readonly certificates: readonly string[];
}

const names = (facts: readonly CertificateFact[]): string[] => facts.map(({ sha256 }) => sha256);
export const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one) => b.includes(one));
const hostOf = (url: string | null): string | null => (url && URL.canParse(url) ? new URL(url).host : null);

/** Of more than two certificates: one that is trusted already, and the one that lasts longest. */
function twoOf(listed: readonly CertificateFact[], { certificates, verified }: WatchedProvider): CertificateFact[] {
  const byEnd = [...listed].sort((a, b) => b.validUntil - a.validUntil);
  if (byEnd.length <= MAX_TRUSTED_CERTIFICATES) return byEnd;
  const trusted = byEnd.filter(({ sha256 }) => names(certificates).includes(sha256));
  const kept = trusted.find(({ sha256 }) => verified.includes(sha256)) ?? trusted[0];
  return [...(kept ? [kept] : []), ...byEnd.filter((one) => one !== kept)].slice(0, MAX_TRUSTED_CERTIFICATES);
}

/** Why the document may not change the certificates by itself, apart from what it says of them. */
function heldBecause(provider: WatchedProvider, document: MetadataContent): MetadataReason | null {
  if (provider.metadataPolicy === 'hold') return 'policy_hold';
  if (provider.entityId !== document.entityId) return 'entity_id_changed';
  if (provider.ssoUrl !== document.ssoUrl) return 'sso_url_changed';
  const host = hostOf(provider.metadataUrl);
  return host !== null && [hostOf(provider.ssoUrl), hostOf(provider.entityId)].includes(host) ? null : 'other_host';
}

/** Adds what the document adds, then drops what may be dropped (SSO-123, SSO-124). */
function rolledOver(
  { certificates: trusted, verified, decided }: WatchedProvider,
  listed: readonly CertificateFact[],
  now: number,
): Pick<MetadataProposal, 'reason' | 'isAutomatic'> & { readonly certificates: readonly CertificateFact[] } {
  const held = (reason: MetadataReason) => ({ isAutomatic: false, reason, certificates: listed });
  const isListed = ({ sha256 }: CertificateFact): boolean => names(listed).includes(sha256);
  const isValid = ({ validUntil }: CertificateFact): boolean => validUntil > now;
  const isProven = (one: CertificateFact): boolean => isValid(one) && verified.includes(one.sha256);
  const added = listed.filter(({ sha256 }) => !names(trusted).includes(sha256));
  if (added.length > 0 && !trusted.some((one) => isValid(one) && isListed(one))) return held('no_trusted_certificate');
  const mayDrop = (one: CertificateFact): boolean =>
    !isValid(one) ||
    (!isListed(one) && !decided.includes(one.sha256) && trusted.some((other) => other !== one && isProven(other)));
  const kept = [...trusted.filter((one) => !mayDrop(one)), ...added];
  if (kept.length > MAX_TRUSTED_CERTIFICATES) return held('no_room');
  if (added.length === 0 && kept.length === trusted.length) return held('not_verified');
  const dropped = trusted.filter((one) => !kept.includes(one));
  const reason = dropped.every((one) => !isValid(one)) ? 'certificate_expired' : 'certificate_withdrawn';
  return { isAutomatic: true, reason: added.length > 0 ? 'certificate_added' : reason, certificates: kept };
}

/**
 * Decides what a provider's metadata change (SSO-123 to SSO-126).
 * @returns null when they say what is trusted already
 */
export function decideMetadata(
  provider: WatchedProvider,
  document: MetadataContent,
  now: number,
): MetadataProposal | null {
  const { certificates: trusted, decided, entityId, ssoUrl } = provider;
  const isTrusted = ({ sha256 }: CertificateFact): boolean => names(trusted).includes(sha256);
  const usable = document.certificates.filter(
    (one) => one.validUntil > now && (isTrusted(one) || !decided.includes(one.sha256)),
  );
  const wanted = trusted.filter(
    (one) => one.validUntil > now && decided.includes(one.sha256) && !names(usable).includes(one.sha256),
  );
  const listed = [...usable, ...wanted];
  const target = listed.length > 0 ? twoOf(listed, provider) : trusted;
  const isElsewhere = entityId !== document.entityId || ssoUrl !== document.ssoUrl;
  if (!isElsewhere && isSameSet(names(target), names(trusted))) return null;
  const whole = { entityId: document.entityId, ssoUrl: document.ssoUrl };
  const reason = heldBecause(provider, document);
  if (reason) return { isAutomatic: false, reason, ...whole, certificates: names(target) };
  const outcome = rolledOver(provider, listed, now);
  return { ...outcome, ...whole, certificates: names(outcome.isAutomatic ? outcome.certificates : target) };
}
