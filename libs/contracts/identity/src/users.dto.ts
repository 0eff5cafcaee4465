import {
  ACCESS_LEVELS,
  type AccessLevel,
  Choice,
  ChoiceList,
  Email,
  Flag,
  FlagInQuery,
  Instant,
  MAX_ADDRESS,
  Nested,
  NestedList,
  PageQuery,
  Search,
  type Permission,
  PERMISSIONS,
  Sort,
  Text,
  Uuid,
  UuidList,
  Whole,
} from '@gatehouse/contracts-core';

export const ORG_ACCESS = ['all', 'selected', 'none'] as const;
export type OrgAccess = (typeof ORG_ACCESS)[number];
export const USER_STATUSES = ['invited', 'active', 'suspended'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];
export const ROLE_AXES = ['partner', 'organization'] as const;
export type RoleAxis = (typeof ROLE_AXES)[number];
export const USER_SORT_FIELDS = ['name', 'email', 'status', 'createdAt', 'lastLoginAt'] as const;
export type UserSortField = (typeof USER_SORT_FIELDS)[number];
const MANY = 1000;

export class MembershipDto {
  @Choice(ACCESS_LEVELS) scope!: AccessLevel;
  @Uuid({ optional: true, nullable: true }) partnerId?: string | null;
  @Uuid({ optional: true, nullable: true }) orgId?: string | null;
  @Uuid() roleId!: string;
  @Choice(ORG_ACCESS, { optional: true, description: 'Partner scope: the organisations; default: all' })
  orgAccess?: OrgAccess;
  @UuidList({ optional: true, maxItems: MANY, description: 'With orgAccess selected' }) orgIds?: string[];
  @UuidList({ optional: true, maxItems: MANY, description: 'Organisation scope: the sites; empty means all' })
  siteIds?: string[];
}

export class InviteUserDto {
  @Email() email!: string;
  @Text({ min: 1, max: 255, trim: true }) name!: string;
  @Nested(() => MembershipDto) membership!: MembershipDto;
}

export class UpdateUserDto {
  @Text({ optional: true, min: 1, max: 255, trim: true }) name?: string;
  @Choice(['active', 'suspended'], { optional: true }) status?: 'active' | 'suspended';
  @Nested(() => MembershipDto, { optional: true }) membership?: MembershipDto;
  @Flag({ optional: true, description: 'Exempt from enforced single sign-on' }) breakGlass?: boolean;
}

export class ListUsersQuery extends PageQuery {
  @Uuid({ optional: true }) orgId?: string;
  @Choice(USER_STATUSES, { optional: true, description: 'invited: open invitations' }) status?: UserStatus;
  @Search('Part of the name or address') search?: string;
  @Uuid({ optional: true, description: 'Users with a membership of this role' }) roleId?: string;
  @Choice(ACCESS_LEVELS, { optional: true, description: 'Users with a membership of this kind' }) scope?: AccessLevel;
  @FlagInQuery()
  @Flag({ optional: true, description: 'Whether the user has a second factor' })
  mfaEnrolled?: boolean;
  @FlagInQuery()
  @Flag({ optional: true, description: 'Whether the user may sign in with a password under enforcement' })
  breakGlass?: boolean;
  @Instant({ optional: true, description: 'Only open invitations that expire before this instant' })
  expiresBefore?: string;
  @Sort(USER_SORT_FIELDS) sort?: string;
}

export class MembershipRecord {
  @Uuid() id!: string;
  @Choice(ACCESS_LEVELS) scope!: AccessLevel;
  @Uuid({ nullable: true }) partnerId!: string | null;
  @Uuid({ nullable: true }) orgId!: string | null;
  @Uuid() roleId!: string;
  @Text({ max: 255 }) roleName!: string;
  @Choice(ORG_ACCESS) orgAccess!: OrgAccess;
  @UuidList({ maxItems: MANY }) orgIds!: string[];
  @UuidList({ maxItems: MANY }) siteIds!: string[];
}

export class UserRecord {
  @Uuid() id!: string;
  @Text({ max: MAX_ADDRESS }) email!: string;
  @Text({ max: 255 }) name!: string;
  @Choice(USER_STATUSES) status!: UserStatus;
  @Flag() breakGlass!: boolean;
  @Flag() mfaEnrolled!: boolean;
  @Instant({ nullable: true, description: 'When the open invitation expires; null for a user who has accepted' })
  invitationExpiresAt!: string | null;
  @Instant({ nullable: true }) lastLoginAt!: string | null;
  @Instant() createdAt!: string;
  @Instant() updatedAt!: string;
  @NestedList(() => MembershipRecord, { maxItems: MANY, description: 'Those in the caller’s reach' })
  memberships!: MembershipRecord[];
}

export class UserResponse {
  @Nested(() => UserRecord) data!: UserRecord;
}

export class InvitationRecord {
  @Uuid({ description: 'As returned by POST /users; differs from the id of an account that the address has elsewhere' })
  id!: string;
  @Email() email!: string;
  @Text({ max: 255 }) name!: string;
  @Text({ max: 255 }) invitedBy!: string;
  @Nested(() => MembershipRecord) membership!: MembershipRecord;
  @Instant() createdAt!: string;
  @Instant() expiresAt!: string;
}

export class InvitationResponse {
  @Nested(() => InvitationRecord) data!: InvitationRecord;
}

export class Pagination {
  @Whole({ min: 1, max: Number.MAX_SAFE_INTEGER }) page!: number;
  @Whole({ min: 1, max: 100 }) limit!: number;
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER }) total!: number;
}

export class UserPageResponse {
  @NestedList(() => UserRecord, { maxItems: 100 }) data!: UserRecord[];
  @Nested(() => Pagination) pagination!: Pagination;
}

export class CreateRoleDto {
  @Text({ min: 1, max: 255, trim: true }) name!: string;
  @Choice(ROLE_AXES) axis!: RoleAxis;
  @Uuid({ optional: true, nullable: true }) partnerId?: string | null;
  @Uuid({
    optional: true,
    nullable: true,
    description: 'An organisation role without one serves every organisation of the partner',
  })
  orgId?: string | null;
  @ChoiceList(PERMISSIONS, { minItems: 1, maxItems: PERMISSIONS.length }) permissions!: Permission[];
}

export class UpdateRoleDto {
  @Choice(ROLE_AXES, { optional: true, description: 'Optional; cannot be changed' }) axis?: RoleAxis;
  @Uuid({ optional: true, nullable: true, description: 'Optional; cannot be changed' }) partnerId?: string | null;
  @Uuid({ optional: true, nullable: true, description: 'Optional; cannot be changed' }) orgId?: string | null;
  @Text({ optional: true, min: 1, max: 255, trim: true }) name?: string;
  @ChoiceList(PERMISSIONS, { optional: true, minItems: 1, maxItems: PERMISSIONS.length }) permissions?: Permission[];
}

export class ListRolesQuery {
  @Choice(ROLE_AXES, { optional: true }) axis?: RoleAxis;
}

export class RoleRecord {
  @Uuid() id!: string;
  @Text({ max: 255 }) name!: string;
  @Choice(ROLE_AXES) axis!: RoleAxis;
  @Uuid({ nullable: true }) partnerId!: string | null;
  @Uuid({ nullable: true }) orgId!: string | null;
  @ChoiceList(PERMISSIONS, { maxItems: PERMISSIONS.length }) permissions!: Permission[];
  @Flag({ description: 'Whether it is built in and cannot be changed' }) system!: boolean;
  @Whole({ min: 1, max: 2_147_483_647 }) version!: number;
}

export class RoleListResponse {
  @NestedList(() => RoleRecord, { maxItems: MANY }) data!: RoleRecord[];
}

export class RoleResponse {
  @Nested(() => RoleRecord) data!: RoleRecord;
}

export class CreateApiKeyDto {
  @Text({ min: 1, max: 255, trim: true }) name!: string;
  @ChoiceList(PERMISSIONS, { minItems: 1, maxItems: PERMISSIONS.length }) permissions!: Permission[];
  @Instant({
    optional: true,
    nullable: true,
    description: 'Maximum and default: the lifetime that the key policy allows',
  })
  expiresAt?: string | null;
}

const MAX_KEY_DAYS = 3_650;

export class ApiKeyPolicyQuery {
  @Choice(['organization', 'partner'], { optional: true }) ownerScope?: 'organization' | 'partner';
  @Uuid({ optional: true }) orgId?: string;
}

export class SetApiKeyPolicyDto extends ApiKeyPolicyQuery {
  @Whole({ min: 1, max: MAX_KEY_DAYS, nullable: true, description: 'Null for no separate limit' })
  maxDays!: number | null;
}

export class ApiKeyPolicyRecord {
  @Uuid() partnerId!: string;
  @Uuid({ nullable: true, description: 'Null for the policy of the partner' }) orgId!: string | null;
  @Whole({ min: 1, max: MAX_KEY_DAYS, nullable: true, description: 'The limit that this owner has set' })
  maxDays!: number | null;
  @Whole({ min: 1, max: MAX_KEY_DAYS, nullable: true, description: 'The effective limit; null for none' })
  effectiveDays!: number | null;
  @Whole({ min: 1, max: MAX_KEY_DAYS, description: 'The limit for keys created in sessions of identity providers' })
  providerDays!: number;
}

export class ApiKeyPolicyResponse {
  @Nested(() => ApiKeyPolicyRecord) data!: ApiKeyPolicyRecord;
}

export class ApiKeyRecord {
  @Uuid() id!: string;
  @Text({ max: 255 }) name!: string;
  @Text({ max: 20, description: 'The first characters of the key, to tell keys apart' }) hint!: string;
  @ChoiceList(PERMISSIONS, { maxItems: PERMISSIONS.length }) permissions!: Permission[];
  @Uuid() createdBy!: string;
  @Instant({ nullable: true }) expiresAt!: string | null;
  @Instant({ nullable: true }) lastUsedAt!: string | null;
  @Instant() createdAt!: string;
  @Uuid({ nullable: true, description: 'The identity provider in whose session it was created: it ends with it' })
  providerId!: string | null;
  @Flag({ description: 'Whether the key is suspended because its identity provider is not active' })
  suspended!: boolean;
}

export class NewApiKeyRecord extends ApiKeyRecord {
  @Text({ max: 64, description: 'Shown only once' }) key!: string;
}

export class ApiKeyListResponse {
  @NestedList(() => ApiKeyRecord, { maxItems: MANY }) data!: ApiKeyRecord[];
}

export class NewApiKeyResponse {
  @Nested(() => NewApiKeyRecord) data!: NewApiKeyRecord;
}
