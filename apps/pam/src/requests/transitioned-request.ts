import { type ElevationFact, RequestOutcomeNotified, TOLD_OUTCOMES, type ToldOutcome } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';

/** The row returned by a status change, with all that its event needs. */
export type TransitionedRequest = Omit<
  ElevationFact,
  'elevationRequestId' | 'ruleId' | 'policyId' | 'actorId' | 'requestedBy'
> & {
  readonly id: string;
  readonly deviceHostname: string;
  readonly targetExecutablePath: string | null;
  readonly subjectUsername: string | null;
  readonly requestedByName: string | null;
  readonly pamRuleId: string | null;
  readonly matchedPolicyId: string | null;
  readonly toolName: string | null;
  readonly toolAction: string | null;
  readonly riskTier: number | null;
  readonly actionDigest: string | null;
  readonly votesRequired: number;
  readonly ticket: string | null;
  /** The user of the product who asked. */
  readonly requestedBy: string | null;
  /** Whether the requester hears of the end by mail too; null when there is none, or the policy says not to tell. */
  readonly notifyByMail: boolean | null;
};

export function factOf(moved: TransitionedRequest, actorId: string | null): ElevationFact {
  const {
    id: elevationRequestId,
    orgId,
    partnerId,
    siteId,
    deviceId,
    flowType,
    status,
    decisionSource,
    pamRuleId: ruleId,
    matchedPolicyId: policyId,
    requestedBy,
  } = moved;
  return {
    elevationRequestId,
    orgId,
    partnerId,
    siteId,
    deviceId,
    flowType,
    status,
    decisionSource,
    ruleId,
    policyId,
    actorId,
    ...(requestedBy !== null && { requestedBy }),
  };
}

/** The details of the tool for an audit entry: everything that its tier and the decision depend on. */
export const toolDetailsOf = ({
  toolName,
  toolAction: action,
  riskTier,
  actionDigest,
}: TransitionedRequest): Readonly<Record<string, unknown>> =>
  toolName === null ? {} : { toolName, action, riskTier, actionDigest };

/** The ticket for an audit entry. */
export const ticketDetailsOf = ({ ticket }: TransitionedRequest): Readonly<Record<string, unknown>> =>
  ticket === null ? {} : { ticket };

/** The details by which an audit entry names what was asked for, who asked, and on which device. */
export const requestDetailsOf = (moved: TransitionedRequest): Readonly<Record<string, unknown>> => ({
  flowType: moved.flowType,
  deviceId: moved.deviceId,
  targetExecutablePath: moved.targetExecutablePath,
  subjectUsername: moved.subjectUsername,
  requestedByName: moved.requestedByName,
  ...ticketDetailsOf(moved),
  ...toolDetailsOf(moved),
});

const isTold = (status: string): status is ToldOutcome => TOLD_OUTCOMES.some((outcome) => outcome === status);

/** Tells the person who made a request how it ended, unless the organisation does not want that (PAM-223). */
export function notifyRequester(tx: Tx, moved: TransitionedRequest): void {
  const { id: elevationRequestId, requestedBy: userId, notifyByMail: byMail, orgId, partnerId, deviceHostname } = moved;
  const { status } = moved;
  if (!userId || byMail === null || !isTold(status)) return;
  const outcome = { elevationRequestId, userId, orgId, partnerId, deviceHostname, status, byMail };
  tx.emit(RequestOutcomeNotified, outcome, { aggregateId: elevationRequestId });
}
