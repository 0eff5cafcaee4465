import type { DecisionSource, ElevationStatus, FlowType, RequestFlag } from '@gatehouse/contracts-pam';
import type { Hold, ShadowHit } from '@gatehouse/pam-domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A step of the escalation policy that was taken. */
export interface TakenStep {
  readonly step: number;
  /** As PostgreSQL writes it in JSON. */
  readonly at: string;
}

/**
 * One request to run something with elevated rights, with its decision. Partitioned by month; the id is a UUID v7.
 */
@Entity('elevation_requests')
export class ElevationRequestEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  /** The organisation of the device at the time of the request. */
  @Column('uuid') orgId!: string;
  @Column('uuid') deviceId!: string;
  @Column('text') deviceHostname!: string;
  @Column('text') flowType!: FlowType;
  @Column('text') status!: ElevationStatus;
  @Column('timestamptz', { default: () => 'now()' }) requestedAt!: Date;
  @Column('text', { nullable: true }) subjectUsername!: string | null;
  @Column('text', { nullable: true }) targetExecutablePath!: string | null;
  /** SHA-256 in lower-case hexadecimal digits. */
  @Column('text', { nullable: true }) targetExecutableHash!: string | null;
  @Column('text', { nullable: true }) targetExecutableSigner!: string | null;
  @Column('text', { nullable: true }) targetExecutableSignerThumbprint!: string | null;
  @Column('text', { nullable: true }) targetExecutablePublisher!: string | null;
  @Column('bigint', { nullable: true }) pid!: number | null;
  @Column('text', { nullable: true }) parentImage!: string | null;
  @Column('text', { nullable: true }) commandLine!: string | null;
  @Column('text', { array: true, nullable: true }) adGroups!: string[] | null;
  @Column('text', { nullable: true }) reason!: string | null;
  /** As it was given. */
  @Column('text', { nullable: true }) ticket!: string | null;
  /** Whether an approval still has to come with a ticket, by the policy at the time of the request. */
  @Column('boolean', { default: () => 'false' }) needsTicket!: boolean;
  /** The agent's clock. */
  @Column('timestamptz', { nullable: true }) observedAt!: Date | null;
  /** The user of a tech_jit_admin request or a tool action. */
  @Column('uuid', { nullable: true }) requestedBy!: string | null;
  @Column('text', { nullable: true }) requestedByName!: string | null;
  @Column('text', { nullable: true }) toolName!: string | null;
  @Column('text', { nullable: true }) toolAction!: string | null;
  @Column('jsonb', { nullable: true }) toolInput!: object | null;
  @Column('smallint', { nullable: true }) riskTier!: number | null;
  /** SHA-256 of the canonical JSON of the tool's input. */
  @Column('text', { nullable: true }) actionDigest!: string | null;
  /** The end of the tool execution that waits for the decision. */
  @Column('timestamptz', { nullable: true }) timeoutAt!: Date | null;
  /** Null when no rulebook was usable. */
  @Column('bigint', { nullable: true }) rulebookVersion!: number | null;
  @Column('text', { nullable: true }) decisionSource!: DecisionSource | null;
  @Column('timestamptz', { nullable: true }) decidedAt!: Date | null;
  @Column('uuid', { nullable: true }) matchedPolicyId!: string | null;
  @Column('text', { nullable: true }) matchedPolicyName!: string | null;
  @Column('uuid', { nullable: true }) pamRuleId!: string | null;
  @Column('text', { nullable: true }) pamRuleName!: string | null;
  @Column('text', { nullable: true }) decisionReason!: string | null;
  @Column('uuid', { nullable: true }) approvedBy!: string | null;
  @Column('text', { nullable: true }) approvedByName!: string | null;
  @Column('uuid', { nullable: true }) deniedBy!: string | null;
  @Column('text', { nullable: true }) deniedByName!: string | null;
  @Column('uuid', { nullable: true }) revokedBy!: string | null;
  @Column('text', { nullable: true }) revokedByName!: string | null;
  @Column('text', { nullable: true }) revokeReason!: string | null;
  /** The end of the wait for a decision. */
  @Column('timestamptz', { nullable: true }) pendingUntil!: Date | null;
  @Column('integer', { nullable: true }) durationMinutes!: number | null;
  /** The end of the active window. */
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  @Column('timestamptz', { nullable: true }) actuatedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) endedAt!: Date | null;
  /** The device's version at the time of the request; null for older requests. */
  @Column('bigint', { nullable: true }) deviceVersion!: number | null;
  /** Why a grant was withheld. */
  @Column('text', { nullable: true }) held!: Hold | null;
  /** What shadow rules would have made of it. */
  @Column('jsonb', { nullable: true }) shadow!: ShadowHit[] | null;
  /** The rule or policy that took most of the work when the effort was exceeded. */
  @Column('uuid', { nullable: true }) costliestId!: string | null;
  /** How many people have to approve, fixed when the request is made. */
  @Column('smallint', { default: () => '1' }) votesRequired!: number;
  /** How long the request waits by the approval policy; null without one. */
  @Column('integer', { nullable: true }) pendingMinutes!: number | null;
  /** The last step of the escalation policy that was taken; 0 before the first. */
  @Column('smallint', { default: () => '0' }) escalatedStep!: number;
  /** The steps that were taken; null before the first. */
  @Column('jsonb', { nullable: true }) escalations!: TakenStep[] | null;
  /** The user of the AI agent must not vote. */
  @Column('boolean', { default: () => 'false' }) requesterBarred!: boolean;
  /** The editors of the rule that matched, who must not vote; null where editors may. */
  @Column('uuid', { array: true, nullable: true }) barredEditors!: string[] | null;
  /** The identity provider whose session made it. */
  @Column('uuid', { nullable: true }) requesterProviderId!: string | null;
  /** What to notice about it, but for files that are new; null in rows of earlier programs. */
  @Column('text', { array: true, nullable: true }) flags!: RequestFlag[] | null;
  /** Who looks at it, and until when colleagues are told so. */
  @Column('uuid', { nullable: true }) takenBy!: string | null;
  @Column('text', { nullable: true }) takenByName!: string | null;
  @Column('timestamptz', { nullable: true }) takenUntil!: Date | null;
}

/** The first answer to a report, which an identical report gets again. */
@Entity('report_receipts')
export class ReportReceiptEntity {
  @PrimaryColumn('uuid') deviceId!: string;
  @PrimaryColumn('bytea') bodyHash!: Buffer;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  /** Null for an ignored report. */
  @Column('uuid', { nullable: true }) requestId!: string | null;
  @Column('text') status!: ElevationStatus | 'ignored';
  @Column('timestamptz', { default: () => 'now()' }) receivedAt!: Date;
}
