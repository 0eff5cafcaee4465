import type { ElevationFact, ElevationRequestRow } from '@gatehouse/contracts-pam';

/** A request as the list statement reads it: instants are dates, the tool's columns are null for the other flows. */
export interface StoredRow extends Omit<ElevationRequestRow, 'requestedAt' | 'expiresAt' | 'actuatedAt' | 'toolName' | 'riskTier' | 'actionDigest'> {
  readonly requestedAt: Date;
  readonly expiresAt: Date | null;
  readonly actuatedAt: Date | null;
  readonly toolName: string | null;
  readonly riskTier: number | null;
  readonly actionDigest: string | null;
}

export function rowView({ toolName, riskTier, actionDigest, ...row }: StoredRow): ElevationRequestRow {
  const tool = toolName === null ? {} : { toolName, riskTier: riskTier ?? undefined, actionDigest: actionDigest ?? undefined };
  return { ...row, ...tool, requestedAt: row.requestedAt.toISOString(), expiresAt: row.expiresAt?.toISOString() ?? null, actuatedAt: row.actuatedAt?.toISOString() ?? null };
}

/** What a move of a request returns: enough to state the fact. */
export type Moved = Omit<ElevationFact, 'elevationRequestId' | 'ruleId' | 'policyId' | 'actorId'> & {
  readonly id: string;
  readonly deviceHostname: string;
  readonly pamRuleId: string | null;
  readonly matchedPolicyId: string | null;
};

export function factOf({ id, deviceHostname: _, pamRuleId: ruleId, matchedPolicyId: policyId, ...moved }: Moved, actorId: string | null): ElevationFact {
  return { elevationRequestId: id, ...moved, ruleId, policyId, actorId };
}
