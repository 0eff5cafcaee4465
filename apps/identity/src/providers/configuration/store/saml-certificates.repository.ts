import type { Reader } from '@gatehouse/database';
import type { SsoProvider } from './sso-provider.entity.ts';

export type StoredCertificates = Pick<SsoProvider, 'weakKeysUntil'> & { readonly certificate: string };

const ACTIVE = `
  SELECT certificate, weak_keys_until FROM sso_providers
   WHERE type = 'saml' AND status = 'active' AND certificate IS NOT NULL`;

/** The certificates of every active SAML provider, for the service's metrics. */
export const activeSamlCertificates = (reader: Reader): Promise<StoredCertificates[]> =>
  reader.query<StoredCertificates>(ACTIVE);
