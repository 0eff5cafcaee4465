import { Choice, Flag, Instant, Nested, NestedList, Text, Uuid, Whole } from '@gatehouse/contracts-core';
import { FREEZE_LEVELS, FREEZE_MODES, type FreezeLevel, type FreezeMode, MAX_REASON } from '../vocabulary.ts';

const REASON = { min: 1, max: MAX_REASON };
const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER };

/** The most freezes that a list holds, and that may be in force in one organisation. */
export const MAX_FREEZES = 500;

/** PAM-150. */
export class CreateFreezeDto {
  @Choice(FREEZE_LEVELS, { description: 'What kind of thing is frozen.' }) level!: FreezeLevel;
  @Uuid({ description: 'The device, site, organisation or partner that is frozen.' }) targetId!: string;
  @Choice(FREEZE_MODES, { optional: true, description: '`lockdown` when absent.' }) mode?: FreezeMode;
  @Text({ ...REASON, description: 'Why it is frozen.' }) reason!: string;
  @Instant({
    optional: true,
    nullable: true,
    description: '24 hours from now when absent, 30 days from now at most. Null, for no end, needs `devices:write`.',
  })
  expiresAt?: string | null;
  @Flag({ optional: true, description: 'Whether open windows end, which they do when this is absent.' })
  revokeOpen?: boolean;
}

export class LiftFreezeDto {
  @Text({ ...REASON, description: 'Why it is lifted.' }) reason!: string;
}

export class ListFreezesQuery {
  @Choice(['true', 'false'], { optional: true, description: 'Only those in force, or only those that are over.' })
  active?: 'true' | 'false';
  @Uuid({
    optional: true,
    description: 'The freezes of this organisation and those of the whole partner, which cover it.',
  })
  orgId?: string;
}

/** How far ending the windows of a freeze has come. */
export class FreezeProgressRecord {
  @Whole({ ...COUNT, description: 'Windows that were ended.' }) revoked!: number;
  @Whole({ ...COUNT, description: 'Orders to devices that were withdrawn.' }) withdrawn!: number;
  @Flag({ description: 'Whether no window is left to end.' }) done!: boolean;
}

export class FreezeRecord {
  @Uuid() id!: string;
  @Choice(FREEZE_LEVELS, { description: 'What kind of thing is frozen.' }) level!: FreezeLevel;
  @Uuid({ description: 'The device, site, organisation or partner that is frozen.' }) targetId!: string;
  @Text({ max: 255, nullable: true, description: 'The name of what is frozen; null when it is gone.' })
  targetName!: string | null;
  @Uuid({ nullable: true, description: 'Null: every organisation of the partner.' }) orgId!: string | null;
  @Choice(FREEZE_MODES, { description: 'Under `lockdown` technicians can only deny.' }) mode!: FreezeMode;
  @Text({ ...REASON, description: 'Why it is frozen.' }) reason!: string;
  @Uuid() createdBy!: string;
  @Text({ max: 255, description: 'The name of who created it.' }) createdByName!: string;
  @Instant() createdAt!: string;
  @Instant({ nullable: true, description: 'When it ends by itself; null for never.' }) expiresAt!: string | null;
  @Instant({ nullable: true, description: 'When a person lifted it.' }) liftedAt!: string | null;
  @Uuid({ nullable: true, description: 'The id of who lifted it.' }) liftedBy!: string | null;
  @Text({ max: 255, nullable: true, description: 'The name of who lifted it.' }) liftedByName!: string | null;
  @Text({ ...REASON, nullable: true, description: 'Why it was lifted.' }) liftReason!: string | null;
  @Nested(() => FreezeProgressRecord, { description: 'How far ending the windows has come.' })
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
