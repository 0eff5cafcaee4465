import type { MfaEvidence, MfaEvidenceValuesDto, SubjectClaim } from '@gatehouse/contracts-identity';
import { type Claims, isSaid, isTrue } from './claim-mapping.ts';

/** What a provider says about how a user signed in, by kind; from the ID token or the signed assertion alone. */
export type Authentication = Readonly<Partial<Record<MfaEvidence, unknown>>>;

export interface MfaTrust {
  readonly trustsIdpMfa: boolean;
  readonly mfaEvidence: readonly MfaEvidence[];
  readonly mfaEvidenceValues: MfaEvidenceValuesDto;
}

const CLASSES = 'urn:oasis:names:tc:SAML:2.0:ac:classes';

/**
 * The values that stand for two factors where an administrator gives no others: RFC 8176, the claim of Microsoft Entra
 * ID and AD FS, and the classes of SAML's authentication contexts (3.4.10, 3.4.12, 3.4.21). Values of `acr` and `acrs`
 * mean what each provider says, so they have no default.
 */
const DEFAULT_VALUES: Readonly<Required<MfaEvidenceValuesDto>> = {
  amr: ['mfa'],
  acr: [],
  acrs: [],
  authnmethods: ['http://schemas.microsoft.com/claims/multipleauthn'],
  authncontext: ['MobileTwoFactorUnregistered', 'MobileTwoFactorContract', 'SmartcardPKI'].map(
    (name) => `${CLASSES}:${name}`,
  ),
};

/** `amr` is a list (OpenID Connect Core 2), `acr` one text; the others come in both forms. */
function saidIn(kind: MfaEvidence, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return kind === 'acr' ? [] : value;
  return kind === 'amr' ? [] : [value];
}

/** The values of a kind that count as a second factor. */
export const valuesOf = ({ mfaEvidenceValues }: Pick<MfaTrust, 'mfaEvidenceValues'>, kind: MfaEvidence): string[] =>
  mfaEvidenceValues[kind] ?? DEFAULT_VALUES[kind];

/** SSO-25, SSO-89: whether a provider that is trusted for it says that the user showed a second factor. */
export const assertsMfa = (trust: MfaTrust, authentication: Authentication): boolean =>
  trust.trustsIdpMfa &&
  trust.mfaEvidence.some((kind) => {
    const accepted = valuesOf(trust, kind);
    return saidIn(kind, authentication[kind]).some((one) => typeof one === 'string' && accepted.includes(one));
  });

/**
 * The `claims` parameter that asks for the contexts of `acrs` (OpenID Connect Core 5.5); null when there are none.
 */
export function claimsRequest(trust: MfaTrust): string | null {
  const values = trust.trustsIdpMfa && trust.mfaEvidence.includes('acrs') ? valuesOf(trust, 'acrs') : [];
  if (values.length === 0) return null;
  const wanted = values.length === 1 ? { value: values[0] } : { values };
  return JSON.stringify({ id_token: { acrs: { essential: true, ...wanted } } });
}

/** What a sign-in says about a second factor, for its trace. */
export const mfaEvidenceOf = (trust: MfaTrust, authentication: Authentication) => ({
  proven: assertsMfa(trust, authentication),
  lookedFor: trust.mfaEvidence,
  seen: Object.fromEntries(Object.entries(authentication).filter(([, value]) => value !== undefined)),
});

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
 * `email_verified`, and `oid` is the subject where the provider is set so. Both are read from the ID token alone and
 * only beside the tenant's own `tid`.
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
