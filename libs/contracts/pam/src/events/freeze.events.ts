import { Choice, defineEvent, Instant, Plain, Uuid } from '@gatehouse/contracts-core';
import { FREEZE_LEVELS, FREEZE_MODES, type FreezeLevel, type FreezeMode } from '../vocabulary.ts';

/** A fact about an emergency freeze. Contains no reason, which is free text. */
@Plain()
export class FreezeFact {
  @Uuid() freezeId!: string;
  @Uuid() partnerId!: string;
  /** Null for the whole partner. */
  @Uuid({ nullable: true }) orgId!: string | null;
  /** The site of a frozen site or device. */
  @Uuid({ nullable: true }) siteId!: string | null;
  @Choice(FREEZE_LEVELS) level!: FreezeLevel;
  @Uuid() targetId!: string;
  @Choice(FREEZE_MODES) mode!: FreezeMode;
  @Instant({ nullable: true }) expiresAt!: string | null;
  /** The user who started or lifted it; null when it expired. */
  @Uuid({ nullable: true }) actorId!: string | null;
}

export const FreezeStarted = defineEvent('pam.freeze.started.v1', FreezeFact);
/** A freeze was lifted, or expired. */
export const FreezeLifted = defineEvent('pam.freeze.lifted.v1', FreezeFact);
