import type { AuditEntry, EventType } from '@gatehouse/contracts-core';
import {
  ElevationAutoApproved,
  ElevationDenied,
  type ElevationFact,
  ElevationRequested,
  type FlowType,
} from '@gatehouse/contracts-pam';
import { auditDetailsOf, type Decision, type ShadowHit } from '@gatehouse/pam-domain';

/** How many hits of shadow rules are kept with a request. */
const MAX_SHADOW_HITS = 5;

const shadowOf = (shadow: Decision['shadow']): readonly ShadowHit[] | null =>
  shadow && shadow.hits.length > 0 ? shadow.hits.slice(0, MAX_SHADOW_HITS) : null;

/** Null when no rulebook was usable: the statement then takes {@link strictestDemandOf}. */
function votesRequiredBy({ outcome, demand, barred }: Pick<Decision, 'outcome' | 'demand' | 'barred'>): number | null {
  if (outcome !== 'pending') return 1;
  return barred === null ? null : (demand?.approvals ?? 1);
}

/**
 * SQL for the most approvals that an organisation's policy asks for: what cannot be evaluated must not be easier to
 * approve than what can.
 */
export const strictestDemandOf = (orgId: string): string => `
  coalesce((SELECT greatest(a.default_approvals, (SELECT max((l->>'approvals')::smallint)
    FROM jsonb_array_elements(a.levels) AS l)) FROM pam_approval_policies a WHERE a.org_id = ${orgId}), 1)`;

/** The columns of a request that its decision determines. */
export const decisionColumnsOf = ({
  outcome,
  source,
  policy,
  rule,
  held,
  costliest,
  demand,
  barred,
  needsTicket,
  shadow,
}: Decision) => ({
  status: outcome,
  decision_source: source,
  matched_policy_id: policy?.id,
  matched_policy_name: policy?.name,
  pam_rule_id: rule?.id,
  pam_rule_name: rule?.name,
  held,
  costliest_id: costliest?.id,
  votes_required: votesRequiredBy({ outcome, demand, barred }),
  shadow: shadowOf(shadow),
  pending_minutes: demand?.pendingMinutes,
  barred_editors: barred?.editors,
  needs_ticket: needsTicket,
});

/** A request at its submission, with the place of its device. */
export interface SubmittedRequest {
  /** Null for an ignored prompt, of which no request is stored. */
  readonly id: string | null;
  readonly deviceId: string;
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string | null;
  readonly flowType: FlowType;
  /** The user, API key or device that submitted it. */
  readonly actorId: string;
  /** The user of the product who asked; absent for prompts. */
  readonly requestedBy?: string | null;
}

const DECIDED = { auto_approved: ElevationAutoApproved, denied: ElevationDenied, pending: null };

/** The events of a submission: the request, and its immediate decision. */
export function submissionEvents(
  { id, ...submitted }: SubmittedRequest,
  { outcome, source, rule, policy }: Decision,
): { readonly type: EventType<ElevationFact>; readonly fact: ElevationFact }[] {
  if (id === null || outcome === 'ignored') return [];
  const fact: ElevationFact = {
    elevationRequestId: id,
    orgId: submitted.orgId,
    partnerId: submitted.partnerId,
    siteId: submitted.siteId,
    deviceId: submitted.deviceId,
    flowType: submitted.flowType,
    status: outcome,
    decisionSource: source,
    ruleId: rule?.id ?? null,
    policyId: policy?.id ?? null,
    actorId: submitted.actorId,
    ...(submitted.requestedBy && { requestedBy: submitted.requestedBy }),
  };
  return [ElevationRequested, DECIDED[outcome]].flatMap((type) => (type ? [{ type, fact }] : []));
}

/** The audit entry of a submission. @param about what was asked for: the name of the resource and further details */
export const submissionAudit = (
  { id, deviceId, partnerId, orgId, siteId, flowType }: SubmittedRequest,
  decision: Decision,
  about: { readonly name: string; readonly details: Readonly<Record<string, unknown>> },
): AuditEntry => ({
  action: decision.outcome === 'ignored' ? 'pam.elevation_request.ignore' : 'pam.elevation_request.submit',
  resource: { type: 'pam.elevation_request', id, name: about.name },
  partnerId,
  orgId,
  siteId,
  details: {
    status: decision.outcome,
    deviceId,
    flowType,
    decisionSource: decision.source,
    ruleId: decision.rule?.id ?? null,
    policyId: decision.policy?.id ?? null,
    ...about.details,
    ...auditDetailsOf(decision),
  },
});
