import type { BodyOf } from '@gatehouse/client';
import { codeOf, problemOf, wordsFor } from '../../api/problem.ts';
import type { Values } from '../../ui/forms/fields.ts';
import type { Provider } from './model.ts';

export type ProviderPatch = BodyOf<'/sso/providers/{id}', 'patch'>;
export type MfaEvidence = Provider['mfaEvidence'][number];

/** Our fields that are read from a claim or an attribute of the provider. */
export const MAPPED = ['email', 'name', 'firstName', 'lastName', 'groups'] as const;
export const mappingField = (field: (typeof MAPPED)[number]): string => `attributeMapping.${field}`;

/** Where each protocol says how a person signed in. */
export const EVIDENCE = {
  oidc: ['amr', 'acr', 'acrs'],
  saml: ['authnmethods', 'authncontext'],
} as const;
export const evidenceField = (kind: MfaEvidence): string => `mfaEvidence.${kind}`;
export const evidenceValuesField = (kind: MfaEvidence): string => `mfaEvidenceValues.${kind}`;

const TEXTS = {
  oidc: ['issuer', 'clientId', 'scopes'],
  saml: ['entityId', 'ssoUrl', 'nameIdFormat'],
} as const;

type Settings = Partial<Provider> & { readonly type: Provider['type']; readonly clientSecret?: string };

/** The fields of the form for the settings of a provider; a secret is only ever written. */
export function draftOf(settings: Settings): Values {
  const { type, attributeMapping } = settings;
  return {
    name: settings.name ?? '',
    ...Object.fromEntries(TEXTS[type].map((name) => [name, settings[name] ?? ''])),
    ...(type === 'oidc'
      ? {
          clientSecret: settings.clientSecret ?? '',
          clientSecretExpiresAt: dayOf(settings.clientSecretExpiresAt),
          subjectClaim: settings.subjectClaim ?? 'sub',
        }
      : { forceAuthn: settings.forceAuthn ?? false }),
    ...Object.fromEntries(MAPPED.map((field) => [mappingField(field), attributeMapping?.[field] ?? ''])),
    autoProvision: settings.autoProvision ?? false,
    defaultRoleId: settings.defaultRoleId ?? null,
    allowedDomains: settings.allowedDomains ?? '',
    trustsIdpMfa: settings.trustsIdpMfa ?? false,
    ...evidenceOf(settings),
  };
}

function evidenceOf({ type, mfaEvidence = [], mfaEvidenceValues = {} }: Settings): Values {
  const fields = EVIDENCE[type].flatMap((kind) => [
    [evidenceField(kind), mfaEvidence.includes(kind)],
    [evidenceValuesField(kind), mfaEvidenceValues[kind]?.join(', ') ?? ''],
  ]);
  return Object.fromEntries(fields) as Values;
}

const textIn = (values: Values, name: string): string => String(values[name] ?? '').trim();

const dayOf = (instant: string | null | undefined): string => instant?.slice(0, 10) ?? '';

/** A day is its beginning in UTC: a secret may stop at any time of its last day. */
function expiryIn(values: Values): ProviderPatch {
  const day = textIn(values, 'clientSecretExpiresAt');
  return { clientSecretExpiresAt: day === '' ? null : `${day}T00:00:00Z` };
}

function mappingIn(values: Values): ProviderPatch['attributeMapping'] {
  const entries = MAPPED.map((field) => [field, textIn(values, mappingField(field))] as const);
  const filled = Object.fromEntries(entries.filter(([, claim]) => claim !== ''));
  return { email: '', name: '', ...filled };
}

const listIn = (values: Values, name: string): string[] =>
  textIn(values, name)
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

/** No kind at all is no evidence, which the switch above says: then the members stay as they are. */
function evidenceIn(type: Provider['type'], values: Values): ProviderPatch {
  const kinds = EVIDENCE[type].filter((kind) => values[evidenceField(kind)] === true);
  const lists = EVIDENCE[type].map((kind) => [kind, listIn(values, evidenceValuesField(kind))] as const);
  return {
    ...(kinds.length > 0 && { mfaEvidence: [...kinds] }),
    mfaEvidenceValues: Object.fromEntries(lists.filter(([, list]) => list.length > 0)),
  };
}

/** The provider's members from the fields: an emptied text becomes null, and an empty secret keeps the old one. */
export function bodyOf(type: Provider['type'], values: Values): ProviderPatch {
  const secret = textIn(values, 'clientSecret');
  return {
    name: textIn(values, 'name'),
    ...Object.fromEntries(TEXTS[type].map((name) => [name, textIn(values, name) || null])),
    ...(type === 'saml'
      ? { forceAuthn: values['forceAuthn'] === true }
      : { ...expiryIn(values), subjectClaim: values['subjectClaim'] === 'oid' ? 'oid' : 'sub' }),
    ...(secret !== '' && { clientSecret: secret }),
    attributeMapping: mappingIn(values),
    autoProvision: values['autoProvision'] === true,
    defaultRoleId: textIn(values, 'defaultRoleId') || null,
    allowedDomains: textIn(values, 'allowedDomains') || null,
    trustsIdpMfa: values['trustsIdpMfa'] === true,
    ...evidenceIn(type, values),
  } as ProviderPatch;
}

/** The members that the form changes of a provider. */
export function changesOf(provider: Provider, values: Values): ProviderPatch {
  const before: Readonly<Record<string, unknown>> = bodyOf(provider.type, draftOf(provider));
  const after = Object.entries(bodyOf(provider.type, values));
  return Object.fromEntries(after.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])));
}

const WITHOUT_EFFECT = ['name', 'autoProvision', 'defaultRoleId', 'clientSecretExpiresAt'];
const OF_THE_IDENTITY = ['issuer', 'entityId', 'subjectClaim'];

/** What saving such changes ends: the accounts that are linked, or the sign-ins under way. */
export function endedBy(changes: ProviderPatch): 'links' | 'attempts' | null {
  const names = Object.keys(changes);
  if (names.some((name) => OF_THE_IDENTITY.includes(name))) return 'links';
  return names.some((name) => !WITHOUT_EFFECT.includes(name)) ? 'attempts' : null;
}

/** The setting that a refusal is about. */
const FIELDS: Readonly<Record<string, string>> = {
  oidc_discovery_failed: 'issuer',
  saml_configuration_invalid: 'certificate',
  saml_metadata_invalid: 'metadata',
  saml_metadata_unreachable: 'metadata',
  role_not_grantable: 'defaultRoleId',
};
/** Codes whose `detail` names the fault for people: what the provider answered, which key is too weak. */
const DETAILED = /^(oidc_discovery_failed|saml_\w+|domain_not_verified)$/;

/** The fault in words, as exactly as the server names it. */
export function faultOf(error: unknown): string {
  const detail = problemOf(error)?.detail;
  return detail && DETAILED.test(codeOf(error)) ? detail : wordsFor(error);
}

/** The fault at the field that it is about, if there is one. */
export function faultAt(error: unknown): Readonly<Record<string, string>> {
  const field = FIELDS[codeOf(error)];
  return field ? { [field]: faultOf(error) } : {};
}

/** The settings that a test or a switch found missing. */
export function missingIn(error: unknown): readonly string[] {
  const missing = problemOf(error)?.['missing'];
  return Array.isArray(missing) ? missing.map(String) : [];
}
