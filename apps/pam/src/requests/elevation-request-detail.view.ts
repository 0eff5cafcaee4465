import { has, type UserCaller } from '@gatehouse/contracts-core';
import type {
  EarlierRequestsRecord,
  ElevationRequestDetailRecord,
  MayRespondRecord,
  OutcomeCountsRecord,
  RequestCommandRecord,
  TimelineEntryRecord,
  TimelineEvent,
} from '@gatehouse/contracts-pam';
import { type DetailRow, rowView } from './elevation-request.view.ts';
import type { CommandRow, EarlierCount } from './request-history.repository.ts';
import { decidabilityProblem } from './request-problems.ts';

interface Happened {
  readonly at: Date | null;
  readonly event: TimelineEvent;
  readonly actorName?: string | null;
  readonly reason?: string | null;
  readonly commandType?: string;
  readonly step?: number;
  readonly count?: number;
}

const FINISHED = {
  completed: 'command_completed',
  failed: 'command_failed',
  cancelled: 'command_cancelled',
  expired: 'command_expired',
} as const;
const isFinished = (status: string): status is keyof typeof FINISHED => status in FINISHED;

const escalationsOf = ({ escalations }: DetailRow): Happened[] =>
  (escalations ?? []).map(({ step, at }) => ({ at: new Date(at), event: 'escalated', step }));

/** People who were asked in several turns are one entry, at the first turn (PAM-307). */
const askedOf = ({ askedAt: at, askedPeople: count }: DetailRow): Happened[] =>
  count === 0 ? [] : [{ at, event: 'asked', count }];

/** The votes of a request that demands several; the last of them is also its decision. */
const votesOf = ({ votesRequired, votes }: DetailRow): Happened[] =>
  votesRequired === 1
    ? []
    : votes.map(({ name, at }) => ({ at: new Date(at), event: 'vote_given' as const, actorName: name }));

function decisionOf({ decidedAt: at, status, deniedByName, approvedByName, decisionReason }: DetailRow): Happened[] {
  const byPerson = approvedByName ?? deniedByName;
  const event = status === 'denied' ? 'denied' : byPerson === null ? 'auto_approved' : 'approved';
  return at === null ? [] : [{ at, event, actorName: byPerson, reason: decisionReason }];
}

function endOf({ endedAt: at, status, revokedByName, revokeReason }: DetailRow): Happened[] {
  if (status === 'revoked') return [{ at, event: 'revoked', actorName: revokedByName, reason: revokeReason }];
  return status === 'expired' ? [{ at, event: 'expired' }] : [];
}

const commandEvents = ({ type: commandType, status, createdAt, claimedAt, finishedAt, resultDetail }: CommandRow) => [
  { at: createdAt, event: 'command_queued' as const, commandType },
  { at: claimedAt, event: 'command_delivered' as const, commandType },
  ...(isFinished(status) ? [{ at: finishedAt, event: FINISHED[status], commandType, reason: resultDetail }] : []),
];

/** What happened to a request, the oldest first. */
function timelineOf(row: DetailRow, commands: readonly CommandRow[]): TimelineEntryRecord[] {
  const { requestedAt, requestedByName, subjectUsername, reason, actuatedAt } = row;
  const happened: Happened[] = [
    { at: requestedAt, event: 'requested', actorName: requestedByName ?? subjectUsername, reason },
    ...askedOf(row),
    ...escalationsOf(row),
    ...votesOf(row),
    ...decisionOf(row),
    // What happened at the same time stays in this order: a revocation comes before the commands that it causes.
    ...endOf(row),
    ...commands.flatMap(commandEvents),
    { at: actuatedAt, event: 'actuated' },
  ];
  return happened
    .flatMap(({ at, ...entry }) => (at ? [{ at, ...entry }] : []))
    .sort((one, other) => one.at.getTime() - other.at.getTime())
    .map(({ at, event, actorName = null, reason: given = null, commandType = null, step = null, count = null }) => ({
      at: at.toISOString(),
      event,
      actorName,
      reason: given,
      commandType,
      step,
      count,
    }));
}

const MEMBERS = {
  auto_approved: 'autoApproved',
  approved: 'approved',
  denied: 'denied',
  expired: 'expired',
  pending: 'pending',
} as const;

function countsOf(earlier: readonly EarlierCount[], shared: EarlierCount['shared']): OutcomeCountsRecord {
  const counts: OutcomeCountsRecord = { autoApproved: 0, approved: 0, denied: 0, expired: 0, pending: 0 };
  for (const { outcome, count } of earlier.filter((each) => each.shared === shared)) counts[MEMBERS[outcome]] = count;
  return counts;
}

const beforeOf = (row: DetailRow, earlier: readonly EarlierCount[]): EarlierRequestsRecord => ({
  file: row.targetExecutablePath === null ? null : countsOf(earlier, 'file'),
  device: countsOf(earlier, 'device'),
  user: row.subjectUsername === null ? null : countsOf(earlier, 'user'),
});

function mayRespondOf(caller: UserCaller, row: DetailRow): MayRespondRecord {
  const may = (approving: boolean): true | string => {
    if (!has(caller, 'devices:execute')) return 'permission_denied';
    // API keys never satisfy the second factor; a user can renew theirs.
    if (caller.kind === 'api_key') return 'mfa_required';
    return decidabilityProblem(caller, row, approving)?.code ?? true;
  };
  return { approve: may(true), deny: may(false) };
}

const commandView = ({ resultDetail: detail, ...command }: CommandRow): RequestCommandRecord => ({
  ...command,
  createdAt: command.createdAt.toISOString(),
  claimedAt: command.claimedAt?.toISOString() ?? null,
  finishedAt: command.finishedAt?.toISOString() ?? null,
  detail,
});

export interface RequestHistory {
  readonly commands: readonly CommandRow[];
  readonly earlier: readonly EarlierCount[];
  /** The caller may read the command line and the tool's input. */
  readonly showsInput: boolean;
}

/** The record of one request with its history (PAM-92). */
export const detailView = (
  caller: UserCaller,
  row: DetailRow,
  { commands, earlier, showsInput }: RequestHistory,
): ElevationRequestDetailRecord => ({
  ...rowView(row, showsInput),
  status: row.statusNow,
  requestedBy: row.requestedBy,
  durationMinutes: row.durationMinutes,
  timeoutAt: row.timeoutAt?.toISOString() ?? null,
  endedAt: row.endedAt?.toISOString() ?? null,
  shadow: (row.shadow ?? []).map(({ ruleId, outcome, held }) => ({ ruleId, outcome, held })),
  commands: commands.map(commandView),
  timeline: timelineOf(row, commands),
  before: beforeOf(row, earlier),
  mayRespond: mayRespondOf(caller, row),
});
