import { covers, type Permission } from '@gatehouse/contracts-core';
import type { ProviderStatus, SsoProtocol, SubjectClaim } from '@gatehouse/contracts-identity';
import { entraTenantOf, type MfaTrust } from '../claims/mfa-trust.ts';

/**
 * The settings that determine whom a provider can sign in, and with which permissions. The client secret is not one.
 */
export const TRUST_SETTINGS = [
  'type',
  'issuer',
  'entityId',
  'authorizationUrl',
  'tokenUrl',
  'userInfoUrl',
  'jwksUrl',
  'ssoUrl',
  'certificate',
  'clientId',
  'attributeMapping',
  'trustsIdpMfa',
  'mfaEvidence',
  'mfaEvidenceValues',
  'subjectClaim',
  'enforceSso',
  'allowedDomains',
  'autoProvision',
  'metadataUrl',
  'metadataPolicy',
] as const;

/** The settings that identify the identity source: subjects of different sources are unrelated. */
const SOURCE_SETTINGS = ['type', 'issuer', 'entityId'] as const;

/** The settings of a provider on which sessions, links and second factors depend. */
export interface SignInSettings extends MfaTrust {
  readonly type: SsoProtocol;
  readonly issuer: string | null;
  readonly entityId: string | null;
  readonly status: ProviderStatus;
  readonly clientId: string | null;
  readonly subjectClaim: SubjectClaim;
}

export interface SignInSettingsChange {
  readonly before: SignInSettings;
  readonly after: SignInSettings;
}

/** @param changes the settings that differ, by name */
export const changesTrust = (changes: object): boolean => TRUST_SETTINGS.some((name) => name in changes);

const changesIssuer = ({ before, after }: SignInSettingsChange): boolean =>
  SOURCE_SETTINGS.some((name) => before[name] !== after[name]);

/** At Microsoft Entra ID `sub` is another one for each application (SSO-92). */
const hasSubjectsByClient = ({ issuer, subjectClaim }: SignInSettings): boolean =>
  subjectClaim === 'sub' && entraTenantOf(issuer) !== null;

/** Tells whether the same source now names its users otherwise. */
export const changesSubjects = (change: SignInSettingsChange): boolean =>
  !changesIssuer(change) &&
  (change.before.subjectClaim !== change.after.subjectClaim ||
    (hasSubjectsByClient(change.before) && change.before.clientId !== change.after.clientId));

/** Tells whether the provider now uses other subjects, so that its identity links are no longer valid. */
export const changesSource = (change: SignInSettingsChange): boolean =>
  changesIssuer(change) || changesSubjects(change);

const changesEvidence = ({ before, after }: SignInSettingsChange): boolean =>
  JSON.stringify([before.mfaEvidence, before.mfaEvidenceValues]) !==
  JSON.stringify([after.mfaEvidence, after.mfaEvidenceValues]);

export interface EffectsOfChange {
  /** The links to identities of the previous source. */
  readonly links: boolean;
  /** The sessions that the provider opened. */
  readonly sessions: boolean;
  /** The second factors of its sessions that only the provider asserted. */
  readonly secondFactors: boolean;
}

/** Decides what a change of a provider ends (decisions, "changed trust"). */
export function effectsOfChange(change: SignInSettingsChange): EffectsOfChange {
  const { before, after } = change;
  const links = changesSource(change);
  const secondFactors = before.trustsIdpMfa && (!after.trustsIdpMfa || changesEvidence(change));
  const leavesActive = before.status === 'active' && after.status !== 'active';
  return { links, sessions: links || leavesActive, secondFactors };
}

/** Returns the needed permissions that the caller lacks, sorted and without duplicates. */
export const missingPermissions = (held: ReadonlySet<Permission>, needed: readonly Permission[]): Permission[] =>
  [...new Set(needed)].filter((permission) => !covers(held, permission)).sort();

const CREDENTIALS = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i;

/**
 * OpenID Connect Discovery 1.0, 3: an issuer has neither query nor fragment.
 * @returns a readable description of the fault, or null
 */
export function issuerFault(issuer: string): string | null {
  if (CREDENTIALS.test(issuer)) return 'must not carry credentials';
  return /[?#]/.test(issuer) ? 'must not have a query or a fragment' : null;
}

/**
 * RFC 6749 3.1 and 3.2: an endpoint may have a query, but no fragment.
 * @returns a readable description of the fault, or null
 */
export function endpointFault(url: string): string | null {
  if (CREDENTIALS.test(url)) return 'must not carry credentials';
  return url.includes('#') ? 'must not have a fragment' : null;
}

/** In the order in which they are asked for: discovery finds the endpoints once there is an issuer. */
const NEEDED: Readonly<Record<SsoProtocol, readonly (readonly string[])[]>> = {
  oidc: [
    ['issuer', 'clientId', 'clientSecret'],
    ['authorizationUrl', 'tokenUrl', 'jwksUrl'],
  ],
  saml: [['entityId', 'ssoUrl', 'certificate']],
};

/** Returns the settings to enter next before users can sign in through the provider; none when it is complete. */
export const missingSettings = (type: SsoProtocol, settings: Readonly<Record<string, unknown>>): string[] =>
  NEEDED[type].map((names) => names.filter((name) => !settings[name])).find(({ length }) => length > 0) ?? [];
