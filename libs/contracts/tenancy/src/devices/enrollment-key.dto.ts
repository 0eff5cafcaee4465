import { Flag, Instant, PageQuery, Text, Uuid, Whole } from '@gatehouse/contracts-core';
import { MAX_CAP } from '../fields.ts';

const TEN_YEARS_OF_MINUTES = 10 * 365 * 24 * 60;

export class CreateEnrollmentKeyDto {
  @Uuid() orgId!: string;
  @Uuid({ optional: true, nullable: true }) siteId?: string | null;
  @Text({ min: 1, max: 255, trim: true }) name!: string;
  @Whole({ min: 1, max: MAX_CAP, optional: true, nullable: true }) maxUsage?: number | null;
  @Instant({ optional: true }) expiresAt?: string;
  @Whole({ min: 1, max: TEN_YEARS_OF_MINUTES, optional: true }) ttlMinutes?: number;
  /** Whether a machine without its token may return as its device, if an administrator confirms it; false by default. */
  @Flag({ optional: true }) allowReenrollment?: boolean;
}

export class EnrollmentKeyResponse {
  @Uuid() id!: string;
  @Uuid() orgId!: string;
  @Uuid({ nullable: true }) siteId!: string | null;
  @Text({ max: 255 }) name!: string;
  @Whole({ min: 0, max: MAX_CAP }) usageCount!: number;
  @Whole({ min: 1, max: MAX_CAP, nullable: true }) maxUsage!: number | null;
  @Instant({ nullable: true }) expiresAt!: Date | null;
  @Flag() allowReenrollment!: boolean;
  @Uuid({ nullable: true }) createdBy!: string | null;
  @Instant() createdAt!: Date;
}

/** The answer to creation and rotation: the only one with the key itself, which is not stored. */
export class IssuedEnrollmentKeyResponse extends EnrollmentKeyResponse {
  @Text({ max: 64 }) key!: string;
}

export class EnrollmentKeyQuery extends PageQuery {
  @Uuid({ optional: true }) orgId?: string;
  @Uuid({ optional: true }) siteId?: string;
}
