import {
  Choice,
  ChoiceList,
  Instant,
  JsonObject,
  ListInQuery,
  PageQuery,
  Search,
  Sort,
  Text,
  Uuid,
  UuidList,
  Whole,
} from '@gatehouse/contracts-core';
import { MAX_CAP, Slug, TimeZone } from '../fields.ts';
import {
  ORGANIZATION_STATUSES,
  ORGANIZATION_TYPES,
  type OrganizationStatus,
  type OrganizationType,
} from '../vocabulary.ts';

class OrganizationFields {
  @Choice(ORGANIZATION_TYPES, { optional: true }) type?: OrganizationType;
  @Choice(ORGANIZATION_STATUSES, { optional: true }) status?: OrganizationStatus;
  @Whole({ min: 0, max: MAX_CAP, optional: true, nullable: true }) maxDevices?: number | null;
  @JsonObject({ optional: true }) settings?: object;
  @JsonObject({ optional: true, nullable: true }) ssoConfig?: object | null;
  @JsonObject({ optional: true, nullable: true }) billingContact?: object | null;
  @Instant({ optional: true, nullable: true }) contractStart?: string | null;
  @Instant({ optional: true, nullable: true, description: 'Not before `contractStart`' }) contractEnd?: string | null;
}

export class CreateOrganizationDto extends OrganizationFields {
  @Uuid({ optional: true }) partnerId?: string;
  @Text({ min: 1, max: 255, trim: true }) name!: string;
  @Slug() slug!: string;
}

export class UpdateOrganizationDto extends OrganizationFields {
  @Uuid({ optional: true, description: 'Optional; cannot be changed' }) partnerId?: string;
  @Text({ min: 1, max: 255, optional: true, trim: true }) name?: string;
  @Slug({ optional: true }) slug?: string;
}

export class OrganizationResponse {
  @Uuid() id!: string;
  @Uuid() partnerId!: string;
  @Text({ max: 255 }) name!: string;
  @Slug() slug!: string;
  @Choice(ORGANIZATION_TYPES) type!: OrganizationType;
  @Choice(ORGANIZATION_STATUSES) status!: OrganizationStatus;
  @Whole({ min: 0, max: MAX_CAP, nullable: true }) maxDevices!: number | null;
  @JsonObject() settings!: object;
  @JsonObject({ nullable: true }) ssoConfig!: object | null;
  @JsonObject({ nullable: true }) billingContact!: object | null;
  @Instant({ nullable: true }) contractStart!: Date | null;
  @Instant({ nullable: true }) contractEnd!: Date | null;
  @Instant({ nullable: true }) archivedAt!: Date | null;
  @Instant({ nullable: true }) purgeAt!: Date | null;
  @Uuid({ nullable: true }) mergedIntoId!: string | null;
  @Whole({ min: 1, max: Number.MAX_SAFE_INTEGER }) version!: number;
  @Instant() createdAt!: Date;
  @Instant() updatedAt!: Date;
  @Instant({ nullable: true }) deletedAt!: Date | null;
}

export const ORGANIZATION_SORTS = ['name', 'status', 'createdAt'] as const;

export class OrganizationQuery extends PageQuery {
  @Uuid({ optional: true }) partnerId?: string;
  @Search() search?: string;
  @ListInQuery()
  @ChoiceList(ORGANIZATION_STATUSES, {
    optional: true,
    maxItems: ORGANIZATION_STATUSES.length,
    description: 'Only organisations with one of these statuses. Default: all except archived and purging ones.',
  })
  status?: OrganizationStatus[];
  @Sort(ORGANIZATION_SORTS) sort?: string;
}

const MAX_SUMMARIZED = 100;

export class OrganizationSummaryQuery {
  @ListInQuery()
  @UuidList({ minItems: 1, maxItems: MAX_SUMMARIZED, description: 'The organisations to summarise.' })
  ids!: string[];
}

/** `configured`: with a provider, but without an active one. `enforced`: passwords are refused. */
export const SIGN_ON_STATES = ['none', 'configured', 'active', 'enforced'] as const;
export type SignOnState = (typeof SIGN_ON_STATES)[number];

const FIGURE = { min: 0, max: Number.MAX_SAFE_INTEGER };

export class OrganizationSummaryRecord {
  @Uuid() orgId!: string;
  @Whole({ ...FIGURE, description: 'Devices that are not decommissioned.' }) devices!: number;
  @Whole(FIGURE) devicesOnline!: number;
  @Whole(FIGURE) sites!: number;
  @Whole({ ...FIGURE, description: 'Users with a membership of the organisation itself.' }) people!: number;
  @Whole({ ...FIGURE, description: 'Pending elevation requests.' }) waiting!: number;
  @Whole({ ...FIGURE, description: 'Active elevations.' }) active!: number;
  @Choice(SIGN_ON_STATES, { description: "The state of the organisation's single sign-on." })
  sso!: SignOnState;
}

const TEN_YEARS_OF_DAYS = 3650;

export class ArchiveOrganizationDto {
  @Whole({
    min: 1,
    max: TEN_YEARS_OF_DAYS,
    optional: true,
    nullable: true,
    description: 'Days until the data is permanently deleted; null keeps it, omitted means the default',
  })
  retentionDays?: number | null;
}

export class ArchivedOrganizationResponse {
  @Uuid() id!: string;
  @Choice(ORGANIZATION_STATUSES) status!: OrganizationStatus;
  @Instant() archivedAt!: Date;
  @Instant({ nullable: true }) purgeAt!: Date | null;
}

/** Request subjects on which the services that hold them reply with figures of organisations, for their summaries. */
export const ORGANIZATION_PEOPLE = 'ask.identity.organization_figures';
export const ORGANIZATION_ELEVATIONS = 'ask.pam.organization_figures';

export interface OrganizationFiguresQuestion {
  /** At most 100. */
  readonly organizations: readonly { readonly orgId: string; readonly partnerId: string }[];
}

export interface OrganizationFigures<T> {
  /** Organisations for which the service holds nothing may be missing. */
  readonly figures: readonly (T & { readonly orgId: string })[];
}

export interface PeopleFigures {
  readonly people: number;
  readonly sso: SignOnState;
}

export interface ElevationFigures {
  readonly waiting: number;
  readonly active: number;
}

class SiteFields {
  @TimeZone({ optional: true }) timezone?: string;
  @JsonObject({ optional: true, nullable: true }) address?: object | null;
  @JsonObject({ optional: true, nullable: true }) contact?: object | null;
  @JsonObject({ optional: true }) settings?: object;
}

export class CreateSiteDto extends SiteFields {
  @Uuid() orgId!: string;
  @Text({ min: 1, max: 255, trim: true }) name!: string;
}

export class UpdateSiteDto extends SiteFields {
  @Uuid({ optional: true, description: 'Optional; cannot be changed' }) orgId?: string;
  @Text({ min: 1, max: 255, optional: true, trim: true }) name?: string;
}

export class SiteResponse {
  @Uuid() id!: string;
  @Uuid() orgId!: string;
  @Text({ max: 255 }) name!: string;
  @TimeZone() timezone!: string;
  @JsonObject({ nullable: true }) address!: object | null;
  @JsonObject({ nullable: true }) contact!: object | null;
  @JsonObject() settings!: object;
  @Instant() createdAt!: Date;
  @Instant() updatedAt!: Date;
}

export const SITE_SORTS = ['name', 'createdAt'] as const;

export class SiteQuery extends PageQuery {
  @Uuid({ optional: true }) orgId?: string;
  @Uuid({ optional: true, description: 'The same as orgId' }) organizationId?: string;
  @Search() search?: string;
  @Sort(SITE_SORTS) sort?: string;
}
