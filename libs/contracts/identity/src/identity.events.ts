import {
  ACCESS_LEVELS,
  type AccessLevel,
  Choice,
  ChoiceList,
  defineEvent,
  Flag,
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

const MANY = 100_000;

/** Credentials whose meaning changed: every cache of them must be dropped at once. */
export class PrincipalsChange {
  @UuidList({ maxItems: MANY }) sessionIds!: string[];
  /** All sessions and API keys of these people. */
  @UuidList({ maxItems: MANY }) userIds!: string[];
  @UuidList({ maxItems: MANY }) apiKeyIds!: string[];
}
export const PrincipalsChanged = defineEvent('identity.principal.changed.v1', PrincipalsChange);

/** Keys of access tokens that count no more: whoever keeps verified tokens or key sets must forget them at once. */
export class SigningKeysDrop {
  @TextList({ max: 64, maxItems: 100 }) kids!: string[];
}
export const SigningKeysDropped = defineEvent('identity.signing_key.dropped.v1', SigningKeysDrop);

/** One membership of a person, and how far it reaches. */
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

/** A person who may act on devices, as other services keep them; `version` grows with each change. */
export class TechnicianState {
  @Uuid() userId!: string;
  @Text({ max: 255 }) name!: string;
  /** Judged where it came in; here it may also be one that was stored under an older definition. */
  @Text({ max: MAX_ADDRESS }) email!: string;
  @Flag() active!: boolean;
  @NestedList(() => TechnicianReach, { maxItems: 1000 }) reaches!: TechnicianReach[];
  @Whole({ min: 1, max: Number.MAX_SAFE_INTEGER }) version!: number;
}
export const TechnicianChanged = defineEvent('identity.technician.changed.v1', TechnicianState);
