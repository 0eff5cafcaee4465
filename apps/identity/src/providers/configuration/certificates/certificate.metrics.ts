import { asService } from '@gatehouse/contracts-core';
import type { Platform } from '@gatehouse/service';
import { usableUntil } from './certificate-keys.ts';
import { readCertificates } from './saml-certificates.ts';
import { activeSamlCertificates, type StoredCertificates } from '../store/sso-providers.repository.ts';

const SELF = asService('identity');
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * A provider works until the later of its certificates expires. Stored certificates were validated, so they can be
 * parsed.
 */
function daysLeft({ certificate, weakKeysUntil }: StoredCertificates): number {
  const ends = readCertificates(certificate).map((one) => usableUntil(one, weakKeysUntil));
  return (Math.max(...ends) - Date.now()) / DAY_MS;
}

/** Measures how soon the first provider's certificates expire, after which its users cannot sign in. */
export function measureCertificates({ metrics, store }: Platform): void {
  const days = metrics.gauge(
    'gatehouse_saml_certificate_days',
    'Days until the first active SAML provider has no valid certificate; absent without one',
  );
  metrics.atScrape([days], async () => {
    const rows = (await store?.work.backgroundRead(SELF, activeSamlCertificates)) ?? [];
    return rows.length > 0 ? [{ of: days, value: Math.min(...rows.map(daysLeft)) }] : [];
  });
}
