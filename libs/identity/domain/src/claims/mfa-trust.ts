import type { MfaEvidence, MfaEvidenceValuesDto } from '@gatehouse/contracts-identity';

/** What a provider says about how a user signed in, by kind; from the ID token or the signed assertion alone. */
export type Authentication = Readonly<Partial<Record<MfaEvidence, unknown>>>;

export interface MfaTrust {
  readonly trustsIdpMfa: boolean;
  readonly mfaEvidence: readonly MfaEvidence[];
  readonly mfaEvidenceValues: MfaEvidenceValuesDto;
}

const CLASSES = 'urn:oasis:names:tc:SAML:2.0:ac:classes';

/**
 * The values that stand for two factors where an administrator gives no others: RFC 8176, the claim of Microsoft Entra ID
 * and AD FS, and the classes of SAML's authentication contexts (3.4.10, 3.4.12, 3.4.21). Values of `acr` and `acrs` mean
 * what each provider says, so they have no default.
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
 * The `claims` parameter that asks for the contexts of `acrs` (OpenID Connect Core 5.5); null when there are none to ask
 * for.
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
