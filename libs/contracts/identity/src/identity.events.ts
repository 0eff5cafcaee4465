import {
  ACCESS_LEVELS,
  type AccessLevel,
  Choice,
  ChoiceList,
  defineEvent,
  Flag,
  Instant,
  MAX_ADDRESS,
  NestedList,
  type Permission,
  PERMISSIONS,
  Text,
  TextList,
  Uuid,
  UuidList,
  Whole,
} from '@gatehouse/contracts-core';
import { PROVIDER_STATUSES, type ProviderStatus } from './sso-login.dto.ts';
import { ENFORCEMENT_STAGES, type EnforcementStage } from './sso-enforcement.dto.ts';

const MANY = 100_000;

/** Credentials whose meaning changed: every cache must drop them at once. */
export class PrincipalsChange {
  @UuidList({ maxItems: MANY }) sessionIds!: string[];
  /** All sessions and API keys of these users. */
  @UuidList({ maxItems: MANY }) userIds!: string[];
  @UuidList({ maxItems: MANY }) apiKeyIds!: string[];
}
export const PrincipalsChanged = defineEvent('identity.principal.changed.v1', PrincipalsChange);

/**
 * Keys of access tokens that are no longer valid: every service that caches verified tokens or key sets must drop them
 * at once.
 */
export class SigningKeysDrop {
  @TextList({ max: 64, maxItems: 100 }) kids!: string[];
}
export const SigningKeysDropped = defineEvent('identity.signing_key.dropped.v1', SigningKeysDrop);

/** One membership of a user, and its reach. */
export class TechnicianReach {
  @Choice(ACCESS_LEVELS) level!: AccessLevel;
  @Uuid({ nullable: true }) partnerId!: string | null;
  /** Every organisation of the partner. */
  @Flag() allOrgs!: boolean;
  @UuidList({ maxItems: MANY }) orgIds!: string[];
  /** Empty means every site of the organisations. */
  @UuidList({ maxItems: MANY }) siteIds!: string[];
  @ChoiceList(PERMISSIONS, { maxItems: PERMISSIONS.length }) permissions!: Permission[];
}

/** A user who may act on devices, as other services store it; `version` grows with each change. */
export class TechnicianState {
  @Uuid() userId!: string;
  @Text({ max: 255 }) name!: string;
  /** Validated on input; an address stored under an older definition may appear here too. */
  @Text({ max: MAX_ADDRESS }) email!: string;
  @Flag() active!: boolean;
  @NestedList(() => TechnicianReach, { maxItems: 1000 }) reaches!: TechnicianReach[];
  @Whole({ min: 1, max: Number.MAX_SAFE_INTEGER }) version!: number;
  @Flag({ optional: true, description: 'Whether the account was deleted; otherwise absent.' }) deleted?: boolean;
}
export const TechnicianChanged = defineEvent('identity.technician.changed.v1', TechnicianState);

/** An identity provider after a change, without its settings. */
export class SsoProviderState {
  @Uuid() providerId!: string;
  @Uuid() partnerId!: string;
  /** Null for a partner's own provider. */
  @Uuid({ nullable: true }) orgId!: string | null;
  @Choice(PROVIDER_STATUSES) status!: ProviderStatus;
  @Flag() enforceSSO!: boolean;
  @Flag() deleted!: boolean;
  /** Orders the changes of a provider; releases before did not tell it. */
  @Whole({ min: 1, max: Number.MAX_SAFE_INTEGER, optional: true }) version?: number;
  @Uuid({ optional: true, description: 'The user whose link to the provider ended.' }) unlinkedUserId?: string;
  @Flag({ optional: true, description: 'Whether all links ended as user identifiers changed.' })
  allUnlinked?: boolean;
}
export const SsoProviderChanged = defineEvent('identity.sso_provider.changed.v1', SsoProviderState);

/** `person`: an administrator set the stage; `schedule`: its date came. */
export const ENFORCEMENT_CAUSES = ['person', 'schedule'] as const;
export type EnforcementCause = (typeof ENFORCEMENT_CAUSES)[number];

/** A provider's enforcement after a change of its stage or its date. */
export class SsoEnforcementState {
  @Uuid() providerId!: string;
  @Uuid() partnerId!: string;
  /** Null for a partner's own provider. */
  @Uuid({ nullable: true }) orgId!: string | null;
  @Choice(ENFORCEMENT_STAGES) stage!: EnforcementStage;
  @Instant({ nullable: true }) enforceAt!: string | null;
  @Choice(ENFORCEMENT_CAUSES) cause!: EnforcementCause;
}
export const SsoEnforcementChanged = defineEvent('identity.sso_enforcement.changed.v1', SsoEnforcementState);

/** The visitor of a set-up link has finished. */
export class SetupLinkCompletion {
  @Uuid() setupLinkId!: string;
  @Uuid() providerId!: string;
  @Uuid() partnerId!: string;
  /** Null for a partner's own provider. */
  @Uuid({ nullable: true }) orgId!: string | null;
  /** Whether the visitor switched the provider on, which the link's author had allowed. */
  @Flag() activated!: boolean;
}
export const SetupLinkCompleted = defineEvent('identity.setup_link.completed.v1', SetupLinkCompletion);
