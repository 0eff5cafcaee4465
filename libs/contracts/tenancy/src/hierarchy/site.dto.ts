import { Instant, JsonObject, PageQuery, Sort, Text, Uuid } from '@gatehouse/contracts-core';
import { TimeZone } from '../fields.ts';

export class CreateSiteDto {
  @Uuid() orgId!: string;
  @Text({ min: 1, max: 255, trim: true }) name!: string;
  @TimeZone({ optional: true }) timezone?: string;
  @JsonObject({ optional: true, nullable: true }) address?: object | null;
  @JsonObject({ optional: true, nullable: true }) contact?: object | null;
  @JsonObject({ optional: true }) settings?: object;
}

export class UpdateSiteDto {
  @Uuid({ optional: true, description: 'May be named, and cannot be changed' }) orgId?: string;
  @Text({ min: 1, max: 255, optional: true, trim: true }) name?: string;
  @TimeZone({ optional: true }) timezone?: string;
  @JsonObject({ optional: true, nullable: true }) address?: object | null;
  @JsonObject({ optional: true, nullable: true }) contact?: object | null;
  @JsonObject({ optional: true }) settings?: object;
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
  @Text({ max: 255, optional: true }) search?: string;
  @Sort(SITE_SORTS) sort?: string;
}
