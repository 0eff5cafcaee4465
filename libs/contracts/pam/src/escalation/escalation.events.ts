import { Choice, defineEvent, Flag, Instant, Plain, Text, Uuid, Whole } from '@gatehouse/contracts-core';
import { ElevationFact } from '../events/pam.events.ts';
import { MAX_ESCALATION_STEPS } from '../requests/limits.ts';

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
