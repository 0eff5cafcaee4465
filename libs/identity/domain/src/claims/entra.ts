import type { SubjectClaim } from '@gatehouse/contracts-identity';
import { type Claims, isSaid, isTrue } from './claim-mapping.ts';

const ISSUER =
  /^https:\/\/login\.microsoftonline\.com\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/v2\.0$/i;

/** The one tenant of Microsoft Entra ID whose issuer this is; null for every other issuer, also for `common`. */
export const entraTenantOf = (issuer: string | null | undefined): string | null =>
  ISSUER.exec(issuer ?? '')?.[1]?.toLowerCase() ?? null;

interface EntraProvider {
  readonly issuer: string | null;
  readonly subjectClaim: SubjectClaim;
}

/**
 * Reads what one tenant of Microsoft Entra ID says in claims of its own (SSO-91): `xms_edov` stands for a missing
 * `email_verified`, and `oid` is the subject where the provider is set so. Both are read from the ID token alone and only
 * beside the tenant's own `tid`.
 * @param documents the ID token first, then userinfo
 * @throws Error when the subject is `oid` and the ID token has none of this tenant
 */
export function entraClaims({ issuer, subjectClaim }: EntraProvider, documents: readonly Claims[]): readonly Claims[] {
  const tenant = entraTenantOf(issuer);
  const [idToken, ...others] = documents;
  const isOfTenant = tenant !== null && String(idToken?.['tid']).toLowerCase() === tenant;
  if (subjectClaim === 'oid') {
    const oid = isOfTenant ? idToken?.['oid'] : undefined;
    if (typeof oid !== 'string' || oid === '') throw new Error('the ID token has no oid of this tenant');
    return withVerification([{ ...idToken, sub: oid }, ...others.map((one) => ({ ...one, sub: oid }))]);
  }
  return isOfTenant ? withVerification(documents) : documents;
}

function withVerification(documents: readonly Claims[]): readonly Claims[] {
  const [idToken = {}, ...others] = documents;
  const isMissing = !documents.some((document) => isSaid(document['email_verified']));
  const isVerified = isTrue(idToken['xms_edov']) && typeof idToken['email'] === 'string';
  return isMissing && isVerified ? [{ ...idToken, email_verified: true }, ...others] : documents;
}
