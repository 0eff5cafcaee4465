import type { CreateProviderDto, UpdateProviderDto } from '@gatehouse/contracts-identity';
import { type Changes, changesOf, invalid, mailDomainOf, ProblemError } from '@gatehouse/contracts-core';
import { DEFAULT_EVIDENCE, DEFAULT_MAPPING, DEFAULT_SCOPES, domainsIn, presetOf } from '@gatehouse/identity-domain';
import { WeakKey } from '../certificates/certificate-keys.ts';
import type { SsoProvider } from '../store/sso-provider.entity.ts';

/** The settings of a provider that a request body may change, except its secret. */
type Settings = Partial<Omit<SsoProvider, 'id' | 'createdAt' | 'updatedAt' | 'clientSecretSealed'>>;

const MAX_ALLOWED_DOMAINS = 1_000;
/** What people paste when they are asked for the issuer. */
const DISCOVERY_PATH = /\/?\.well-known\/openid-configuration\/?$/;
const orNull = <T extends string>(value: T | null | undefined): T | null | undefined =>
  value === undefined ? undefined : value?.trim() ? value : null;

const issuerIn = (pasted: string | null | undefined): string | null | undefined =>
  pasted ? pasted.replace(DISCOVERY_PATH, '') : pasted;

function allowedDomainsOf(value: string | null | undefined): string | null | undefined {
  if (value === undefined) return undefined;
  if (value === null || value === '') return null;
  const domains = domainsIn(value);
  if (domains.length === 0) throw invalid('allowedDomains', 'must name a domain; leave it empty to allow all');
  const bad = domains.find((domain) => mailDomainOf(domain) === null);
  if (bad) throw invalid('allowedDomains', `"${bad}" is not a domain`);
  const stored = domains.join(',');
  if (stored.length > MAX_ALLOWED_DOMAINS)
    throw invalid('allowedDomains', `must have at most ${MAX_ALLOWED_DOMAINS} characters as A-labels`);
  return stored;
}

/** Another secret has another end, or none that is known. */
function expiryOf({ clientSecret, clientSecretExpiresAt: end }: UpdateProviderDto): Date | null | undefined {
  if (end === undefined) return clientSecret ? null : undefined;
  return end === null ? null : new Date(end);
}

/** Maps the members of a body to columns; omitted members stay omitted. */
export function settingsOf(body: UpdateProviderDto): Settings {
  const {
    enforceSSO,
    clientSecret: _,
    confirmRelink: _r,
    clientSecretExpiresAt: _e,
    allowedDomains,
    mfaEvidence,
    ...rest
  } = body;
  const nullable = {
    issuer: orNull(issuerIn(rest.issuer)),
    clientId: orNull(rest.clientId),
    authorizationUrl: orNull(rest.authorizationUrl),
    tokenUrl: orNull(rest.tokenUrl),
    userInfoUrl: orNull(rest.userInfoUrl),
    jwksUrl: orNull(rest.jwksUrl),
    entityId: orNull(rest.entityId),
    ssoUrl: orNull(rest.ssoUrl),
    certificate: orNull(rest.certificate),
    nameIdFormat: orNull(rest.nameIdFormat),
    metadataUrl: orNull(rest.metadataUrl),
    clientSecretExpiresAt: expiryOf(body),
  };
  const settings: Settings = {
    ...rest,
    ...nullable,
    scopes: rest.scopes?.trim() || undefined,
    enforceSso: enforceSSO,
    enforcementStage: enforceSSO === undefined ? undefined : enforceSSO ? 'enforce' : 'off',
    mfaEvidence: mfaEvidence && [...new Set(mfaEvidence)],
    allowedDomains: allowedDomainsOf(allowedDomains),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** Completes a body with its preset and the defaults (SSO-03). */
export function newSettings(body: CreateProviderDto): Settings {
  const preset = presetOf(body.preset);
  if (body.preset && (!preset || preset.type !== body.type))
    throw invalid('preset', `must be the id of a preset for ${body.type}`);
  const { scopes = DEFAULT_SCOPES, attributeMapping = DEFAULT_MAPPING, mfaEvidence = DEFAULT_EVIDENCE } = preset ?? {};
  const { ownerScope: _o, orgId: _i, ...settings } = body;
  return {
    scopes,
    attributeMapping: { ...attributeMapping },
    autoProvision: true,
    enforceSso: false,
    trustsIdpMfa: false,
    mfaEvidence: [...mfaEvidence],
    mfaEvidenceValues: {},
    subjectClaim: 'sub',
    forceAuthn: false,
    ...settingsOf(settings),
    preset: body.preset || null,
  };
}

/**
 * A change of any of these fields starts a new configuration generation: attempts in progress end, and enforcement
 * needs another successful sign-in first.
 */
const GENERATION_FIELDS: readonly (keyof SsoProvider)[] = [
  'type',
  'issuer',
  'clientId',
  'clientSecretSealed',
  'scopes',
  'attributeMapping',
  'allowedDomains',
  'authorizationUrl',
  'tokenUrl',
  'userInfoUrl',
  'jwksUrl',
  'entityId',
  'ssoUrl',
  'certificate',
  'nameIdFormat',
  'forceAuthn',
  'trustsIdpMfa',
  'mfaEvidence',
  'mfaEvidenceValues',
  'subjectClaim',
];

/** The database stores the members of an object in its own order. */
const inOrder = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
const differs = (a: unknown, b: unknown): boolean => JSON.stringify(a, inOrder) !== JSON.stringify(b, inOrder);

/** Returns the columns whose values differ. */
export const changesIn = (current: SsoProvider, wanted: Partial<SsoProvider>): Partial<SsoProvider> =>
  Object.fromEntries(
    Object.entries(wanted).filter(([key, value]) => differs(current[key as keyof SsoProvider], value)),
  );

/** The names under which clients know the columns; null for columns that clients never see. */
const SHOWN_AS: Readonly<Partial<Record<string, string | null>>> = {
  clientSecretSealed: 'clientSecret',
  enforceSso: 'enforceSSO',
  enforcementStage: 'enforceSSO',
  tokenAuthMethod: null,
  announcesIss: null,
  testedVersion: null,
  metadataCheckedAt: null,
  metadataError: null,
  metadataFailedSince: null,
  metadataDueAt: null,
  pendingChangeId: null,
  decidedCertificates: null,
};
export const shownFieldsOf = (changes: Partial<SsoProvider>): string[] =>
  [...new Set(Object.keys(changes).map((column) => (column in SHOWN_AS ? SHOWN_AS[column] : column)))].filter(
    (name) => typeof name === 'string',
  );

/** What a provider is trusted with, under the names that clients know. */
const trustIn = (provider: SsoProvider | null): Readonly<Record<string, unknown>> | null =>
  provider && {
    ...Object.fromEntries(
      GENERATION_FIELDS.filter((field) => field !== 'clientSecretSealed').map((field) => [field, provider[field]]),
    ),
    name: provider.name,
    status: provider.status,
    autoProvision: provider.autoProvision,
    defaultRoleId: provider.defaultRoleId,
    enforceSSO: provider.enforceSso,
    stage: provider.enforcementStage,
    enforceAt: provider.enforceAt,
    metadataUrl: provider.metadataUrl,
    metadataPolicy: provider.metadataPolicy,
  };

/**
 * The change of a provider's trust for the audit log, which tells of its secret only that it was set: null before it
 * was created, and after it was deleted.
 */
export function trustChanges(before: SsoProvider | null, after: SsoProvider | null): Changes {
  const [was, is] = [trustIn(before), trustIn(after)];
  const [old, fresh] = [before?.clientSecretSealed ?? null, after?.clientSecretSealed ?? null];
  return {
    ...changesOf(was, is, Object.keys(was ?? is ?? {})),
    ...(old !== fresh && { clientSecret: { before: old && 'set', after: fresh && 'set anew' } }),
  };
}

/** The settings that metadata describe: once a person changed one, a difference that waits for approval is outdated. */
export const changesMetadata = (changes: Partial<SsoProvider>): boolean =>
  (['type', 'entityId', 'ssoUrl', 'certificate', 'metadataUrl'] as const).some((field) => field in changes);

export const startsNewGeneration = (changes: Partial<SsoProvider>): boolean =>
  GENERATION_FIELDS.some((field) => field in changes);

const UNREADABLE = 'The certificate cannot be read: one or two X.509 certificates in PEM or base64 are expected.';

/**
 * @param check throws a `WeakKey`, whose message an administrator may read, or any error for a text without
 * certificates
 */
export function requireCertificatesUsable(check: () => void): void {
  try {
    check();
  } catch (cause) {
    const detail = cause instanceof WeakKey ? cause.message : UNREADABLE;
    throw Object.assign(new ProblemError('saml_configuration_invalid', detail), { cause });
  }
}
