import { Choice, Flag, Instant, Nested, NestedList, Text, Uuid, Whole } from '@gatehouse/contracts-core';
import { FREEZE_LEVELS, FREEZE_MODES, type FreezeLevel, type FreezeMode, MAX_REASON } from '../vocabulary.ts';

const REASON = { min: 1, max: MAX_REASON };
const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER };

/** The most freezes that a list holds, and that may be in force in one organisation. */
export const MAX_FREEZES = 500;

/** PAM-150. */
export class CreateFreezeDto {
  @Choice(FREEZE_LEVELS, { description: 'The level of the target.' }) level!: FreezeLevel;
  @Uuid({ description: 'The device, site, organisation or partner that is frozen.' }) targetId!: string;
  @Choice(FREEZE_MODES, { optional: true, description: 'Default: `lockdown`.' }) mode?: FreezeMode;
  @Text({ ...REASON, description: 'Why it is frozen.' }) reason!: string;
  @Instant({
    optional: true,
    nullable: true,
    description: 'Default: 24 hours from now; maximum: 30 days from now. Null, for no end, requires `devices:write`.',
  })
  expiresAt?: string | null;
  @Flag({ optional: true, description: 'Whether active elevations end; default: true.' })
  revokeOpen?: boolean;
}

export class LiftFreezeDto {
  @Text({ ...REASON, description: 'The reason for lifting it.' }) reason!: string;
}

export class ListFreezesQuery {
  @Choice(['true', 'false'], { optional: true, description: 'Only active ones, or only ended ones.' })
  active?: 'true' | 'false';
  @Uuid({
    optional: true,
    description: 'Freezes of this organisation and of the whole partner, which apply to it.',
  })
  orgId?: string;
}

/** How far ending the windows of a freeze has come. */
export class FreezeProgressRecord {
  @Whole({ ...COUNT, description: 'Elevations that were ended.' }) revoked!: number;
  @Whole({ ...COUNT, description: 'Cancelled commands to devices.' }) withdrawn!: number;
  @Flag({ description: 'Whether all active elevations have been ended.' }) done!: boolean;
}

export class FreezeRecord {
  @Uuid() id!: string;
  @Choice(FREEZE_LEVELS, { description: 'The level of the target.' }) level!: FreezeLevel;
  @Uuid({ description: 'The device, site, organisation or partner that is frozen.' }) targetId!: string;
  @Text({ max: 255, nullable: true, description: 'The name of what is frozen; null when it is gone.' })
  targetName!: string | null;
  @Uuid({ nullable: true, description: 'Null: every organisation of the partner.' }) orgId!: string | null;
  @Choice(FREEZE_MODES, { description: 'Under `lockdown` technicians can only deny.' }) mode!: FreezeMode;
  @Text({ ...REASON, description: 'Why it is frozen.' }) reason!: string;
  @Uuid() createdBy!: string;
  @Text({ max: 255, description: 'The name of the user who created it.' }) createdByName!: string;
  @Instant() createdAt!: string;
  @Instant({ nullable: true, description: 'When it expires; null for never.' }) expiresAt!: string | null;
  @Instant({ nullable: true, description: 'When a person lifted it.' }) liftedAt!: string | null;
  @Uuid({ nullable: true, description: 'The id of the user who lifted it.' }) liftedBy!: string | null;
  @Text({ max: 255, nullable: true, description: 'The name of the user who lifted it.' }) liftedByName!: string | null;
  @Text({ ...REASON, nullable: true, description: 'Why it was lifted.' }) liftReason!: string | null;
  @Nested(() => FreezeProgressRecord, { description: 'The progress of ending active elevations.' })
  progress!: FreezeProgressRecord;
}

export class FreezeResponse {
  @Flag() success!: true;
  @Nested(() => FreezeRecord, { description: 'The freeze.' }) freeze!: FreezeRecord;
}

export class FreezesResponse {
  @Flag() success!: true;
  @NestedList(() => FreezeRecord, { maxItems: MAX_FREEZES, description: 'The freezes, newest first.' })
  freezes!: FreezeRecord[];
}
