import { Choice, defineEvent, Flag, Instant, Plain, Text, Uuid, UuidList, Whole } from '@gatehouse/contracts-core';
import { MAX_VOTES } from '../requests/elevation-request.record.ts';
import {
  APPROVAL_STATUSES,
  type ApprovalStatus,
  DECISION_SOURCES,
  type DecisionSource,
  ELEVATION_STATUSES,
  type ElevationStatus,
  FLOW_TYPES,
  type FlowType,
  FREEZE_LEVELS,
  FREEZE_MODES,
  type FreezeLevel,
  type FreezeMode,
  MAX_ESCALATION_STEPS,
} from '../vocabulary.ts';

/** A fact about an elevation request (decisions, "events"). Contains no path and no user name. */
@Plain()
export class ElevationFact {
  @Uuid() elevationRequestId!: string;
  @Uuid() orgId!: string;
  @Uuid() partnerId!: string;
  @Uuid({ nullable: true }) siteId!: string | null;
  @Uuid() deviceId!: string;
  @Choice(FLOW_TYPES) flowType!: FlowType;
  @Choice(ELEVATION_STATUSES) status!: ElevationStatus;
  @Choice(DECISION_SOURCES, { nullable: true }) decisionSource!: DecisionSource | null;
  @Uuid({ optional: true, nullable: true }) ruleId?: string | null;
  @Uuid({ optional: true, nullable: true }) policyId?: string | null;
  @Text({ max: 255, optional: true, nullable: true }) actorId?: string | null;
  /** The user of the product who asked; absent for prompts. */
  @Uuid({ optional: true }) requestedBy?: string;
}

/** A request was recorded; `status` is its immediate decision, or `pending`. */
export const ElevationRequested = defineEvent('pam.elevation.requested.v1', ElevationFact);
export const ElevationAutoApproved = defineEvent('pam.elevation.auto_approved.v1', ElevationFact);

/** A person approved a request that demands several approvals; `status` is `pending` until the last one. */
@Plain()
export class ElevationVoteFact extends ElevationFact {
  @Whole({ min: 1, max: MAX_VOTES }) votesGiven!: number;
  @Whole({ min: 1, max: MAX_VOTES }) votesRequired!: number;
}
export const ElevationVoteGiven = defineEvent('pam.elevation.vote_given.v1', ElevationVoteFact);

/** A person began, or ceased, to look at a pending request; `actorId` names them. */
export const ElevationTaken = defineEvent('pam.elevation.taken.v1', ElevationFact);

export const ElevationApproved = defineEvent('pam.elevation.approved.v1', ElevationFact);
export const ElevationDenied = defineEvent('pam.elevation.denied.v1', ElevationFact);
export const ElevationActuating = defineEvent('pam.elevation.actuating.v1', ElevationFact);
export const ElevationActuated = defineEvent('pam.elevation.actuated.v1', ElevationFact);
export const ElevationExpired = defineEvent('pam.elevation.expired.v1', ElevationFact);
export const ElevationRevoked = defineEvent('pam.elevation.revoked.v1', ElevationFact);

/** The rules that decide an organisation's requests changed; compiled copies of an older version are stale. */
@Plain()
export class RulebookChange {
  @Uuid() orgId!: string;
  /** Absent in events of earlier releases. */
  @Uuid({ optional: true }) partnerId?: string;
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER }) version!: number;
}
export const RulebookChanged = defineEvent('pam.rulebook.changed.v1', RulebookChange);

/** The device groups that the levels of an organisation's approval policy name: who is in them is authority. */
@Plain()
export class ApprovalLevelGroups {
  @Uuid() orgId!: string;
  @Uuid() partnerId!: string;
  @UuidList({ maxItems: 1000 }) groupIds!: string[];
  /** Of the approval policy; grows with each change. */
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER }) version!: number;
}
export const ApprovalLevelsChanged = defineEvent('pam.approval_levels.changed.v1', ApprovalLevelGroups);

/** A replayed set of changes was applied to an organisation's rules. */
@Plain()
export class RulesetApplication {
  @Uuid() replayId!: string;
  @Uuid() orgId!: string;
  @Uuid() partnerId!: string;
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER }) version!: number;
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'The numbers of added, updated and removed rules.' })
  changedRules!: number;
}
export const RulesetApplied = defineEvent('pam.ruleset.applied.v1', RulesetApplication);

/** An enabled rule with an expiry. Contains no name, which is free text. */
@Plain()
export class RuleExpiryFact {
  @Uuid() ruleId!: string;
  @Uuid() partnerId!: string;
  /** Null for a rule of the partner. */
  @Uuid({ nullable: true }) orgId!: string | null;
  @Instant() expiresAt!: string;
}
/** A rule expires within seven days; sent once more when it expires within one. */
export const RuleExpiryNoticed = defineEvent('pam.rule.expiry_noticed.v1', RuleExpiryFact);
/** A rule has expired, and decides nothing from now on. */
export const RuleExpired = defineEvent('pam.rule.expired.v1', RuleExpiryFact);

/**
 * Requests a push to one technician about a waiting approval. The text is neutral, because anyone may read a lock
 * screen.
 */
@Plain()
export class ApprovalPush {
  @Uuid() approvalId!: string;
  @Uuid() userId!: string;
  @Uuid() orgId!: string;
  @Uuid() partnerId!: string;
  @Uuid({ nullable: true }) siteId!: string | null;
  @Text({ max: 100 }) title!: string;
  @Instant() expiresAt!: string;
}
export const ApprovalPushRequested = defineEvent('approval.push.requested.v1', ApprovalPush);

/** An approval was decided, reported, or made obsolete by another technician's decision. */
@Plain()
export class ApprovalFact {
  @Uuid() approvalId!: string;
  @Uuid() elevationRequestId!: string;
  @Uuid() userId!: string;
  @Uuid() orgId!: string;
  @Uuid() partnerId!: string;
  @Uuid({ nullable: true }) siteId!: string | null;
  @Choice(APPROVAL_STATUSES) status!: ApprovalStatus;
}
export const ApprovalSettled = defineEvent('approval.request.settled.v1', ApprovalFact);

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

/** The number of a user's push subscriptions: approvals are written only for users whom a push can reach. */
export class PushReach {
  @Uuid() userId!: string;
  @Whole({ min: 0, max: 10_000 }) subscriptions!: number;
  @Whole({ min: 1, max: Number.MAX_SAFE_INTEGER }) version!: number;
}
export const PushReachChanged = defineEvent('approval.reach.changed.v1', PushReach);

/** A request waited so long that a step of the escalation policy was taken. */
@Plain()
export class ElevationEscalationFact extends ElevationFact {
  @Whole({ min: 1, max: MAX_ESCALATION_STEPS }) step!: number;
}
export const ElevationEscalated = defineEvent('pam.elevation.escalated.v1', ElevationEscalationFact);

/** Requests a mail to a person whom no push reaches, about an approval that waits. */
@Plain()
export class ApprovalMail {
  @Uuid() approvalId!: string;
  @Uuid() userId!: string;
  @Uuid() orgId!: string;
  @Uuid() partnerId!: string;
  @Text({ max: 255 }) deviceHostname!: string;
  @Instant() expiresAt!: string;
}
export const ApprovalMailRequested = defineEvent('approval.mail.requested.v1', ApprovalMail);

export const TOLD_OUTCOMES = ['approved', 'denied', 'expired', 'revoked'] as const;
export type ToldOutcome = (typeof TOLD_OUTCOMES)[number];

/** How a request ended, for the person who made it. */
@Plain()
export class RequestOutcome {
  @Uuid() elevationRequestId!: string;
  @Uuid() userId!: string;
  @Uuid() orgId!: string;
  @Uuid() partnerId!: string;
  @Text({ max: 255 }) deviceHostname!: string;
  @Choice(TOLD_OUTCOMES) status!: ToldOutcome;
  @Flag({ description: 'It took over five minutes.' }) byMail!: boolean;
}
export const RequestOutcomeNotified = defineEvent('approval.outcome.told.v1', RequestOutcome);
