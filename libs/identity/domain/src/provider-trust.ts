import { covers, type Permission } from '@gatehouse/contracts-core';
import type { ProviderStatus, SsoProtocol } from '@gatehouse/contracts-identity';

/**
 * The settings that decide whom a provider can sign in, and with which standing. A new client secret is none of them.
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
  'enforceSso',
  'allowedDomains',
  'autoProvision',
] as const;

/** The settings that name the identity source: a subject of one source says nothing about a subject of another. */
const SOURCE_SETTINGS = ['type', 'issuer', 'entityId'] as const;

/** What of a provider decides which sessions, links and second factors stand on it. */
export interface ProviderFooting {
  readonly type: SsoProtocol;
  readonly issuer: string | null;
  readonly entityId: string | null;
  readonly status: ProviderStatus;
  readonly trustsIdpMfa: boolean;
}

export interface FootingChange {
  readonly before: ProviderFooting;
  readonly after: ProviderFooting;
}

/** @param changes the settings that really change, by their names */
export const changesTrust = (changes: object): boolean => TRUST_SETTINGS.some((name) => name in changes);

/** Whether the provider now speaks for another identity source, so that no known identity holds any more. */
export const changesSource = ({ before, after }: FootingChange): boolean =>
  SOURCE_SETTINGS.some((name) => before[name] !== after[name]);

export interface LostFooting {
  /** The identities that were linked under the source before. */
  readonly links: boolean;
  /** The sessions that the provider opened. */
  readonly sessions: boolean;
  /** The second factors that its sessions have on the provider's word alone. */
  readonly secondFactors: boolean;
}

/** Decides what ends with a change of a provider (decisions, "changed trust"). */
export function lostFooting(change: FootingChange): LostFooting {
  const { before, after } = change;
  const links = changesSource(change);
  const leavesActive = before.status === 'active' && after.status !== 'active';
  return { links, sessions: links || leavesActive, secondFactors: before.trustsIdpMfa && !after.trustsIdpMfa };
}

/** The permissions that the caller lacks of those needed, sorted, each once. */
export const missingPermissions = (held: ReadonlySet<Permission>, needed: readonly Permission[]): Permission[] =>
  [...new Set(needed)].filter((permission) => !covers(held, permission)).sort();
