import {
  Choice,
  ChoiceList,
  Flag,
  Instant,
  MAX_ADDRESS,
  Nested,
  NestedList,
  Text,
  Uuid,
  Whole,
} from '@gatehouse/contracts-core';

/** `observe` counts, `warn` announces a date; only `enforce` refuses passwords. */
export const ENFORCEMENT_STAGES = ['off', 'observe', 'warn', 'enforce'] as const;
export type EnforcementStage = (typeof ENFORCEMENT_STAGES)[number];

/** What happens to a user under enforcement (SSO-141). */
export const ENFORCEMENT_OUTCOMES = [
  'signs_in',
  'links_at_first_sign_in',
  'proves_account',
  'stuck',
  'exempt',
] as const;
export type EnforcementOutcome = (typeof ENFORCEMENT_OUTCOMES)[number];

export const ENFORCEMENT_REASONS = [
  'domain_not_allowed',
  'domain_not_verified',
  'identity_of_other_provider',
  'never_signed_in',
  'only_api_keys',
] as const;
export type EnforcementReason = (typeof ENFORCEMENT_REASONS)[number];

/** Why enforcement did not begin at its date. */
export const POSTPONEMENTS = [
  'sso_provider_not_active',
  'sso_provider_incomplete',
  'certificates_expired',
  'sso_enforcement_untested',
  'role_not_grantable',
  'organization_frozen',
] as const;
export type Postponement = (typeof POSTPONEMENTS)[number];

const MAX_PEOPLE = 100_000;
const PEOPLE = { min: 0, max: MAX_PEOPLE };
const STAGE = 'How far enforcement has come: `observe` counts, `warn` announces a date, `enforce` refuses passwords.';
const ENFORCE_AT = 'When `warn` becomes `enforce`; null in every other stage.';

/** A full replacement. `enforceAt` belongs to `warn`, and only to it: 1 hour to 90 days ahead. */
export class SetEnforcementDto {
  @Choice(ENFORCEMENT_STAGES, { description: STAGE }) stage!: EnforcementStage;
  @Instant({ optional: true, description: 'When `warn` becomes `enforce`: 1 hour to 90 days ahead' })
  enforceAt?: string;
  @Flag({ optional: true, description: 'Proceed although no user has signed in with this configuration' })
  force?: boolean;
  @Whole({
    ...PEOPLE,
    optional: true,
    description: 'The number of users who would be locked out, as counted by the preview',
  })
  confirmStuck?: number;
}

export class EnforcementRecord {
  @Choice(ENFORCEMENT_STAGES, { description: STAGE }) stage!: EnforcementStage;
  @Instant({ nullable: true, description: ENFORCE_AT }) enforceAt!: string | null;
  @Instant({ nullable: true, description: 'Since when it has this stage; null when it is off.' })
  startedAt!: string | null;
}

export class GovernedUserRecord {
  @Uuid() userId!: string;
  @Text({ max: MAX_ADDRESS }) email!: string;
  @Text({ max: 255 }) name!: string;
  @Flag() linked!: boolean;
  @Choice(ENFORCEMENT_OUTCOMES, { description: 'The effect on the user once passwords are refused.' })
  outcome!: EnforcementOutcome;
  @ChoiceList(ENFORCEMENT_REASONS, { maxItems: ENFORCEMENT_REASONS.length, description: 'Notes about the user.' })
  reasons!: EnforcementReason[];
  @Whole({ ...PEOPLE, description: 'Sessions opened with a password; they end when enforcement begins.' })
  openPasswordSessions!: number;
  @Whole({ ...PEOPLE, description: 'API keys, which enforcement does not affect.' }) apiKeys!: number;
  @Instant({ nullable: true, description: 'The last sign-in through this provider; null when never.' })
  lastSsoSignInAt!: string | null;
}

export class EnforcementSummaryRecord {
  @Whole({ ...PEOPLE, description: 'Users who are linked and sign in as before.' }) signsIn!: number;
  @Whole({ ...PEOPLE, description: 'Users who are linked at their first sign-in.' }) links!: number;
  @Whole({ ...PEOPLE, description: 'Users who confirm their account once with its password.' }) provesAccount!: number;
  @Whole({ ...PEOPLE, description: 'Users who could no longer sign in.' }) stuck!: number;
  @Whole({ ...PEOPLE, description: 'Break-glass users, who are exempt from enforcement.' }) exempt!: number;
}

export class EnforcementOutlookRecord {
  /** Whether a user has signed in through the current configuration. */
  @Flag() tested!: boolean;
  @NestedList(() => GovernedUserRecord, { maxItems: MAX_PEOPLE }) users!: GovernedUserRecord[];
  @Whole(PEOPLE) withoutLink!: number;
  @Nested(() => EnforcementSummaryRecord, { description: 'The users by outcome.' }) summary!: EnforcementSummaryRecord;
  @Choice(ENFORCEMENT_STAGES, { description: STAGE }) stage!: EnforcementStage;
  @Instant({ nullable: true, description: ENFORCE_AT }) enforceAt!: string | null;
  @Choice(POSTPONEMENTS, { optional: true, description: 'Why the date was last postponed by a day.' })
  postponedBecause?: Postponement;
}

export class EnforcementPreviewResponse {
  @Nested(() => EnforcementOutlookRecord) data!: EnforcementOutlookRecord;
}
