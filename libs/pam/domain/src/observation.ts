import type { FlowType } from '@gatehouse/contracts-pam';

/** Where a device stands in the hierarchy now. */
export interface Place {
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string;
  readonly groupIds: readonly string[];
  readonly deviceId: string;
}

/**
 * What is to be decided: what was seen, where, and when by the server's clock. A value that is blank or null was not
 * seen.
 */
export interface Observation {
  readonly flowType: FlowType;
  readonly place: Place;
  readonly at: Date;
  readonly username: string | null;
  readonly path: string | null;
  readonly hash: string | null;
  readonly signer: string | null;
  readonly publisher: string | null;
  readonly parentImage: string | null;
  readonly commandLine: string | null;
  readonly adGroups: readonly string[];
  readonly toolName: string | null;
  readonly riskTier: number | null;
}

/** Nothing seen but the place: what a builder starts from. */
export const nothingSeen = (flowType: FlowType, place: Place, at: Date): Observation => ({
  flowType,
  place,
  at,
  username: null,
  path: null,
  hash: null,
  signer: null,
  publisher: null,
  parentImage: null,
  commandLine: null,
  adGroups: [],
  toolName: null,
  riskTier: null,
});
