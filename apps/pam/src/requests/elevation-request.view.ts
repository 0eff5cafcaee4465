import type { DemandRecord, ElevationRequestRecord, VoteRecord } from '@gatehouse/contracts-pam';
import { flagsOf } from '@gatehouse/pam-domain';
import type { ElevationRequestEntity } from '@gatehouse/pam-store';
import type { RequestState } from './request-transitions.repository.ts';

type Instants = 'takenUntil' | 'requestedAt' | 'observedAt' | 'pendingUntil' | 'decidedAt' | 'expiresAt' | 'actuatedAt';
type ToolMembers = 'toolName' | 'riskTier' | 'actionDigest' | 'toolInput';
type Stored = Pick<ElevationRequestEntity, Instants | ToolMembers | 'adGroups'>;

/** A row of the list query: instants are dates, and the tool's columns are null for other flows. */
export type StoredRow = Omit<ElevationRequestRecord, keyof Stored | 'action' | 'flags' | 'votes'> &
  Readonly<Stored> & {
    readonly action: string | null;
    /** The instants are texts, as PostgreSQL writes them in JSON. */
    readonly votes: readonly VoteRecord[];
    readonly requestedBy: string | null;
    /** No request for the same file was made in the organisation during the 90 days before. */
    readonly firstSeen: boolean;
  };

/** A row of the query for one request. */
export type DetailRow = StoredRow &
  Pick<ElevationRequestEntity, 'durationMinutes' | 'timeoutAt' | 'endedAt' | 'shadow' | 'escalations'> &
  RequestState & {
    /** When the first people were asked, and how many in all. */
    readonly askedAt: Date | null;
    readonly askedPeople: number;
  };

const instantOf = (at: Date | null): string | null => at?.toISOString() ?? null;

/** What the request demands of those who decide it. */
export const demandOf = ({ votesRequired, votes, held }: StoredRow): DemandRecord => ({
  votesRequired,
  votes: votes.map(({ name, at }) => ({ name, at: new Date(at).toISOString() })),
  held,
});

/** The record of a request as lists show it (PAM-90). @param showsInput whether `InputReaders` lets the caller */
export const rowView = (row: StoredRow, showsInput: boolean): ElevationRequestRecord => ({
  id: row.id,
  orgId: row.orgId,
  orgName: row.orgName,
  deviceId: row.deviceId,
  deviceHostname: row.deviceHostname,
  siteId: row.siteId,
  siteName: row.siteName,
  flowType: row.flowType,
  status: row.status,
  flags: flagsOf(row),
  subjectUsername: row.subjectUsername,
  requestedByName: row.requestedByName,
  targetExecutablePath: row.targetExecutablePath,
  targetExecutableHash: row.targetExecutableHash,
  targetExecutableSigner: row.targetExecutableSigner,
  targetExecutableSignerThumbprint: row.targetExecutableSignerThumbprint,
  targetExecutablePublisher: row.targetExecutablePublisher,
  pid: row.pid,
  parentImage: row.parentImage,
  commandLine: showsInput ? row.commandLine : null,
  commandLineLength: row.commandLine?.length ?? null,
  adGroups: row.adGroups ?? [],
  reason: row.reason,
  ticket: row.ticket,
  requestedAt: row.requestedAt.toISOString(),
  observedAt: instantOf(row.observedAt),
  pendingUntil: instantOf(row.pendingUntil),
  takenBy: row.takenBy,
  takenByName: row.takenByName,
  takenUntil: instantOf(row.takenUntil),
  decisionSource: row.decisionSource,
  decidedAt: instantOf(row.decidedAt),
  decisionReason: row.decisionReason,
  approvedByName: row.approvedByName,
  deniedByName: row.deniedByName,
  revokedByName: row.revokedByName,
  revokeReason: row.revokeReason,
  matchedPolicyName: row.matchedPolicyName,
  pamRuleId: row.pamRuleId,
  pamRuleName: row.pamRuleName,
  expiresAt: instantOf(row.expiresAt),
  actuatedAt: instantOf(row.actuatedAt),
  ...demandOf(row),
  ...toolMembersOf(row, showsInput),
});

const toolMembersOf = ({ toolName, action, riskTier, actionDigest, toolInput }: StoredRow, showsInput: boolean) =>
  toolName === null
    ? {}
    : {
        toolName,
        action,
        riskTier: riskTier ?? undefined,
        actionDigest: actionDigest ?? undefined,
        toolInput: showsInput ? (toolInput ?? undefined) : undefined,
        toolInputLength: toolInput && JSON.stringify(toolInput).length,
      };
