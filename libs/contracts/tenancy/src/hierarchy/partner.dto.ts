import {
  Choice,
  Email,
  Flag,
  Instant,
  JsonObject,
  Nested,
  PageQuery,
  Search,
  Text,
  Unread,
  Uuid,
  UuidList,
  Whole,
} from '@gatehouse/contracts-core';
import { MAX_CAP, Slug, TimeZone } from '../fields.ts';
import {
  PARTNER_PLANS,
  PARTNER_STATUSES,
  PARTNER_TYPES,
  type PartnerPlan,
  type PartnerStatus,
  type PartnerType,
} from '../vocabulary.ts';

export const DATE_FORMATS = ['MM/DD/YYYY', 'DD/MM/YYYY', 'YYYY-MM-DD'] as const;
export const TIME_FORMATS = ['12h', '24h'] as const;
export const LANGUAGES = ['en'] as const;
export const BUSINESS_HOURS = ['24/7', 'business', 'extended', 'custom'] as const;
const MAX_ORDERED = 10_000;
/** TEN-04: null removes a setting. */
const SETTING = { optional: true, nullable: true } as const;
/** TEN-04: varchar(255). */
const BILLING_EMAIL = { nullable: true, max: 255 } as const;

export class BusinessHoursDto {
  @Choice(BUSINESS_HOURS, SETTING) preset?: string | null;
  @JsonObject({ ...SETTING, description: 'By weekday: `{ start: "09:00", end: "17:00", closed? }`' })
  custom?: Record<string, unknown> | null;
}

export class PartnerContactDto {
  @Text({ ...SETTING, max: 255, trim: true }) name?: string | null;
  @Email(SETTING) email?: string | null;
  @Text({ ...SETTING, max: 64 }) phone?: string | null;
  @Text({ ...SETTING, max: 500 }) website?: string | null;
}

/** TEN-04: the settings that a partner may store. */
export class PartnerSettingsDto {
  @TimeZone(SETTING) timezone?: string | null;
  @Choice(DATE_FORMATS, SETTING) dateFormat?: string | null;
  @Choice(TIME_FORMATS, SETTING) timeFormat?: string | null;
  @Choice(LANGUAGES, SETTING) language?: string | null;
  @Nested(() => BusinessHoursDto, SETTING) businessHours?: BusinessHoursDto | null;
  @Nested(() => PartnerContactDto, SETTING) contact?: PartnerContactDto | null;
  @Unread('PATCH /orgs/organizations/order sets it') organizationOrder?: string[];
}

class PartnerFields {
  @Choice(PARTNER_TYPES, { optional: true }) type?: PartnerType;
  @Choice(PARTNER_PLANS, { optional: true }) plan?: PartnerPlan;
  @Choice(PARTNER_STATUSES, { optional: true }) status?: PartnerStatus;
  @Whole({ min: 0, max: MAX_CAP, optional: true, nullable: true }) maxOrganizations?: number | null;
  @Whole({ min: 0, max: MAX_CAP, optional: true, nullable: true }) maxDevices?: number | null;
  @Nested(() => PartnerSettingsDto, { optional: true }) settings?: PartnerSettingsDto;
  @JsonObject({ optional: true, nullable: true }) ssoConfig?: object | null;
  @Email({ ...BILLING_EMAIL, optional: true }) billingEmail?: string | null;
}

export class CreatePartnerDto extends PartnerFields {
  @Text({ min: 1, max: 255, trim: true }) name!: string;
  @Slug() slug!: string;
}

export class UpdatePartnerDto extends PartnerFields {
  @Text({ min: 1, max: 255, optional: true, trim: true }) name?: string;
  @Slug({ optional: true }) slug?: string;
}

/** The members that a partner may change of itself. */
export class UpdateOwnPartnerDto {
  @Text({ min: 1, max: 255, optional: true, trim: true }) name?: string;
  @Email({ ...BILLING_EMAIL, optional: true }) billingEmail?: string | null;
  @Nested(() => PartnerSettingsDto, { optional: true }) settings?: PartnerSettingsDto;
}

export class PartnerResponse {
  @Uuid() id!: string;
  @Text({ max: 255 }) name!: string;
  @Slug() slug!: string;
  @Choice(PARTNER_TYPES) type!: PartnerType;
  @Choice(PARTNER_PLANS) plan!: PartnerPlan;
  @Choice(PARTNER_STATUSES) status!: PartnerStatus;
  @Whole({ min: 0, max: MAX_CAP, nullable: true }) maxOrganizations!: number | null;
  @Whole({ min: 0, max: MAX_CAP, nullable: true }) maxDevices!: number | null;
  @JsonObject() settings!: object;
  @JsonObject({ nullable: true }) ssoConfig!: object | null;
  @Text(BILLING_EMAIL) billingEmail!: string | null;
  @Instant() createdAt!: Date;
  @Instant() updatedAt!: Date;
  @Instant({ nullable: true }) deletedAt!: Date | null;
}

/** TEN-116: all that the organisations of a partner read of its settings. */
export class PartnerFormatsResponse {
  @Choice(DATE_FORMATS, { nullable: true, description: 'How dates are written; null leaves it to the browser.' })
  dateFormat!: string | null;
  @Choice(TIME_FORMATS, { nullable: true, description: 'How times are written; null leaves it to the browser.' })
  timeFormat!: string | null;
}

export class OrganizationOrderDto {
  @UuidList({ maxItems: MAX_ORDERED }) organizationOrder!: string[];
}

export class SuccessResponse {
  @Flag() success!: boolean;
}

export class PartnerQuery extends PageQuery {
  @Search('Part of the name or the short name') search?: string;
}
