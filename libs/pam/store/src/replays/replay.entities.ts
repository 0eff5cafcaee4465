import type { JobState } from '@gatehouse/contracts-core';
import type {
  DecisionSource,
  DefaultVerdict,
  ElevationStatus,
  FlowType,
  OutcomeRecord,
  ReplaySummaryRecord,
} from '@gatehouse/contracts-pam';
import type { Outcome, Tally } from '@gatehouse/pam-domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A replay of past requests under a changed rule set: what was asked, and how far it is. */
@Entity('pam_replays')
export class ReplayEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('text', { nullable: true }) name!: string | null;
  @Column('text', { default: () => "'queued'::text" }) state!: JobState;
  /** The sites of a caller who is confined to some; null for the whole organisation. */
  @Column('uuid', { array: true, nullable: true }) sites!: string[] | null;
  @Column('text', { nullable: true }) flowType!: FlowType | null;
  /** The beginning of the window. */
  @Column('timestamptz') since!: Date;
  @Column('jsonb') changes!: object[];
  @Column('text', { nullable: true }) defaultUnmatchedVerdict!: DefaultVerdict | null;
  /** The version of the rulebook that the candidate is compared with. */
  @Column('bigint') rulebookVersion!: number;
  /** The oldest request that was replayed. */
  @Column('uuid', { nullable: true }) position!: string | null;
  @Column('integer', { default: () => '0' }) done!: number;
  @Column('integer', { default: () => '0' }) total!: number;
  @Column('jsonb', { nullable: true }) tally!: Tally | null;
  @Column('jsonb', { nullable: true }) summary!: ReplaySummaryRecord | null;
  @Column('text', { nullable: true }) error!: string | null;
  /** Names the run that works on it; another run may take over after `leasedUntil`. */
  @Column('uuid', { nullable: true }) lease!: string | null;
  @Column('timestamptz', { nullable: true }) leasedUntil!: Date | null;
  /** When a run last took it. */
  @Column('timestamptz', { nullable: true }) servedAt!: Date | null;
  /** Runs since the last progress. */
  @Column('integer', { default: () => '0' }) attempts!: number;
  @Column('uuid') createdBy!: string;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) appliedAt!: Date | null;
}

/** A request that the candidate decides otherwise. */
@Entity('pam_replay_changes')
export class ReplayChangeEntity {
  @PrimaryColumn('uuid') replayId!: string;
  @PrimaryColumn('uuid') requestId!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('timestamptz') requestedAt!: Date;
  @Column('uuid') deviceId!: string;
  @Column('text') deviceHostname!: string;
  @Column('text') flowType!: FlowType;
  /** The outcome under the candidate. */
  @Column('text') outcome!: Outcome;
  @Column('jsonb') before!: OutcomeRecord;
  @Column('jsonb') after!: OutcomeRecord;
  @Column('text') recordedStatus!: ElevationStatus;
  @Column('text', { nullable: true }) recordedSource!: DecisionSource | null;
}

/** A device with a changed request, so that devices are counted once. */
@Entity('pam_replay_devices')
export class ReplayDeviceEntity {
  @PrimaryColumn('uuid') replayId!: string;
  @PrimaryColumn('uuid') deviceId!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
}
