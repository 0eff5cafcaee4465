import {
  ACCESS_LEVELS,
  type AccessLevel,
  Choice,
  ChoiceList,
  Flag,
  Instant,
  Nested,
  NestedList,
  type Permission,
  PERMISSIONS,
  Text,
  Uuid,
  UuidList,
} from '@gatehouse/contracts-core';
import {
  MembershipChoiceRecord,
  MFA_METHODS,
  type MfaMethod,
  MfaStateRecord,
  SIGN_IN_MEANS,
  SignedInUserRecord,
  type SignInMeans,
} from './sign-in.dto.ts';
import { ORG_ACCESS, type OrgAccess } from './users.dto.ts';

/** The second factor of a signed-in user. */
export class MyMfaRecord extends MfaStateRecord {
  @ChoiceList(MFA_METHODS, { maxItems: 3 }) methods!: MfaMethod[];
  @Instant({ nullable: true, description: 'Until when the confirmed second factor is valid' }) until!: string | null;
}

/** The membership of a session or API key. */
export class MyMembershipRecord {
  @Uuid() id!: string;
  @Text({ max: 255 }) role!: string;
  @Text({ max: 255, nullable: true }) partnerName!: string | null;
  @Text({ max: 255, nullable: true }) orgName!: string | null;
  @Choice(ORG_ACCESS) orgAccess!: OrgAccess;
  @UuidList({ maxItems: 1000, description: 'The sites in reach; empty for all' }) siteIds!: string[];
}

export class MeResponse {
  @Nested(() => SignedInUserRecord) user!: SignedInUserRecord;
  @Choice(ACCESS_LEVELS) scope!: AccessLevel;
  @Uuid({ nullable: true }) partnerId!: string | null;
  @Uuid({ nullable: true }) orgId!: string | null;
  @ChoiceList(PERMISSIONS, { maxItems: PERMISSIONS.length }) permissions!: Permission[];
  @Nested(() => MyMfaRecord) mfa!: MyMfaRecord;
  @Nested(() => MyMembershipRecord) membership!: MyMembershipRecord;
  @Flag({ description: 'Whether the caller can change what applies to the whole partner, such as its roles and rules' })
  partnerWidePolicyRights!: boolean;
  @Choice(SIGN_IN_MEANS, { nullable: true, description: 'Null for an API key' }) signedInVia!: SignInMeans | null;
}

/** A membership of the signed-in user. */
export class OwnMembershipRecord extends MembershipChoiceRecord {
  @Flag({ description: 'The membership of this session' }) current!: boolean;
}

export class OwnMembershipListResponse {
  @NestedList(() => OwnMembershipRecord, { maxItems: 1000 }) data!: OwnMembershipRecord[];
}

export class SwitchMembershipDto {
  @Uuid() membershipId!: string;
}

/** A session that has not ended. */
export class SessionRecord {
  @Uuid() id!: string;
  @Flag({ description: 'The session of this request' }) current!: boolean;
  @Choice(SIGN_IN_MEANS) signedInVia!: SignInMeans;
  @Nested(() => MembershipChoiceRecord) membership!: MembershipChoiceRecord;
  @Instant({ nullable: true, description: 'When the second factor was last confirmed' }) mfaAt!: string | null;
  @Text({ max: 64, nullable: true }) ip!: string | null;
  @Text({ max: 400, nullable: true }) userAgent!: string | null;
  @Instant() createdAt!: string;
  @Instant({ description: 'When its tokens were last renewed' }) refreshedAt!: string;
  @Instant() expiresAt!: string;
}

export class SessionListResponse {
  @NestedList(() => SessionRecord, { maxItems: 200 }) data!: SessionRecord[];
}
