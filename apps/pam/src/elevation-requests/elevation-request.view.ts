import type { ElevationFact, ElevationRequestRecord } from '@gatehouse/contracts-pam';

/** A request as the list statement reads it: instants are dates, the tool's columns are null for the other flows. */
export interface StoredRow extends Omit<
  ElevationRequestRecord,
  'requestedAt' | 'expiresAt' | 'actuatedAt' | 'toolName' | 'action' | 'riskTier' | 'actionDigest'
> {
  readonly requestedAt: Date;
  readonly expiresAt: Date | null;
  readonly actuatedAt: Date | null;
  readonly toolName: string | null;
  readonly action: string | null;
  readonly riskTier: number | null;
  readonly actionDigest: string | null;
}

export function rowView({ toolName, action, riskTier, actionDigest, ...row }: StoredRow): ElevationRequestRecord {
  const tool =
    toolName === null
      ? {}
      : { toolName, action, riskTier: riskTier ?? undefined, actionDigest: actionDigest ?? undefined };
  return {
    ...row,
    ...tool,
    requestedAt: row.requestedAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    actuatedAt: row.actuatedAt?.toISOString() ?? null,
  };
}

/** What a move of a request returns: enough to state the fact. */
export type Moved = Omit<ElevationFact, 'elevationRequestId' | 'ruleId' | 'policyId' | 'actorId'> & {
  readonly id: string;
  readonly deviceHostname: string;
  readonly pamRuleId: string | null;
  readonly matchedPolicyId: string | null;
  readonly toolName: string | null;
  readonly toolAction: string | null;
  readonly riskTier: number | null;
  readonly actionDigest: string | null;
};

export function factOf(moved: Moved, actorId: string | null): ElevationFact {
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
  };
}

/** What an audit entry says of the tool that a request is about: all that its tier and its decision depend on. */
export const toolDetailsOf = ({
  toolName,
  toolAction: action,
  riskTier,
  actionDigest,
}: Moved): Readonly<Record<string, unknown>> => (toolName === null ? {} : { toolName, action, riskTier, actionDigest });
