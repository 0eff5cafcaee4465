import type { FlowType } from '@gatehouse/contracts-pam';
import type { RuleEditor } from './accounts.ts';

/** A device's current place in the hierarchy. */
export interface Place {
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string;
  readonly groupIds: readonly string[];
  /**
   * The sites and groups that devices of its name had when it was enrolled: their levels bind it too (PAM-372). Null
   * while they are not known.
   */
  readonly formerPlaces?: readonly string[] | null;
  readonly deviceId: string;
  /** By which its shares are told from those of others; absent where nothing is decided. */
  readonly hostname?: string | null;
  /** Who moved the device or changed its groups within 30 days. */
  readonly editors?: readonly RuleEditor[];
}

/**
 * The input of a decision: the observed facts, the place, and the instant by the server's clock. A blank or null value
 * means that the fact is absent.
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
  /** The user who asks; absent for a prompt, which knows only the name that the device reports. */
  readonly requesterId?: string | null;
  /** Why it was asked for, and the ticket that it is about. */
  readonly reason?: string | null;
  readonly ticket?: string | null;
}

/** An observation without facts other than the place, as a base for builders. */
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
