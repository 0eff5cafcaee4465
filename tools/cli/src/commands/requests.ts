import { type DataOf, ok } from '@gatehouse/client';
import { type Command, facts, oneOf, optional, required, table, textOption, wholeNumber } from '../command.ts';

type Detail = DataOf<'/pam/elevation-requests/{id}', 'get'>['request'];
type Counts = Detail['before']['device'];
type ElevationRequest = DataOf<'/pam/elevation-requests', 'get'>['requests'][number];

const STATUSES = ['pending', 'approved', 'auto_approved', 'denied', 'expired', 'revoked', 'actuating'] as const;

/** Such as `1 of 2`; empty where one person decides. */
const votesOf = ({ votes, votesRequired }: ElevationRequest): string | null =>
  votesRequired > 1 ? `${votes.length} of ${votesRequired}` : null;

const tableOf = (requests: readonly ElevationRequest[]): string =>
  table(
    ['id', 'status', 'requested', 'device', 'user', 'program or tool', 'signer', 'flags', 'votes'],
    requests.map((request) => [
      request.id,
      request.status,
      request.requestedAt,
      request.deviceHostname,
      request.subjectUsername,
      request.targetExecutablePath ?? request.toolName ?? null,
      request.targetExecutableSigner,
      request.flags.join(' '),
      votesOf(request),
    ]),
  );

const list: Command = {
  name: 'requests list',
  does: 'lists elevation requests, newest first',
  options: {
    status: textOption,
    org: textOption,
    device: textOption,
    search: textOption,
    page: textOption,
    limit: textOption,
  },
  run: async ({ gatehouse }, _, options) => {
    const status = oneOf(options, 'status', STATUSES);
    const query = {
      status: status && [status],
      orgId: optional(options, 'org'),
      deviceId: optional(options, 'device'),
      search: optional(options, 'search'),
      page: wholeNumber(options, 'page'),
      limit: wholeNumber(options, 'limit'),
    };
    const answer = await ok(gatehouse.GET('/pam/elevation-requests', { params: { query } }));
    const { total } = answer.pagination;
    return { json: answer, text: `${tableOf(answer.requests)}\n${answer.requests.length} of ${total}` };
  },
};

const countsOf = (counts: Counts | null): string | null =>
  counts &&
  Object.entries(counts)
    .map(([outcome, count]) => `${outcome} ${count}`)
    .join(', ');

const approvalsOf = (request: Detail): string | null => {
  const votes = votesOf(request);
  const names = request.votes.map(({ name }) => name).join(', ');
  return votes && names ? `${votes}: ${names}` : votes;
};

const whether = (may: Detail['mayRespond']['approve']): string => (may === true ? 'yes' : `no: ${may}`);

/** What a technician needs to know before a decision. */
const factsOf = (request: Detail): string =>
  facts([
    ['id', request.id],
    ['status', request.status],
    ['waits until', request.pendingUntil],
    ['lasts until', request.expiresAt],
    ['organisation', request.orgName],
    ['site', request.siteName],
    ['device', request.deviceHostname],
    ['user', request.subjectUsername ?? request.requestedByName],
    ['program', request.targetExecutablePath],
    ['SHA-256', request.targetExecutableHash],
    ['signer', request.targetExecutableSigner],
    ['publisher', request.targetExecutablePublisher],
    ['started by', request.parentImage],
    ['command line', request.commandLine],
    ['tool', request.toolName],
    ['tool input', request.toolInput && JSON.stringify(request.toolInput)],
    ['reason', request.reason],
    ['ticket', request.ticket],
    ['approvals', approvalsOf(request)],
    ['withheld', request.held],
    ['notice', request.flags.join(' ') || null],
    ['decided by', request.approvedByName ?? request.deniedByName ?? request.pamRuleName ?? request.matchedPolicyName],
    ['reason of the decision', request.decisionReason],
    ['before, this file', countsOf(request.before.file)],
    ['before, this device', countsOf(request.before.device)],
    ['before, this user', countsOf(request.before.user)],
    ['you may approve', whether(request.mayRespond.approve)],
    ['you may deny', whether(request.mayRespond.deny)],
  ]);

const show: Command = {
  name: 'requests show',
  does: 'shows a request with its warnings, history and timeline',
  takes: ['id'],
  run: async ({ gatehouse }, [id = '']) => {
    const answer = await ok(gatehouse.GET('/pam/elevation-requests/{id}', { params: { path: { id } } }));
    const { request } = answer;
    const rows = request.timeline.map(({ at, event, actorName, reason }) => [at, event, actorName, reason]);
    return { json: answer, text: `${factsOf(request)}\n\n${table(['at', 'event', 'by', 'reason'], rows)}` };
  },
};

const respond = (name: string, decision: 'approve' | 'deny', does: string): Command => ({
  name: `requests ${name}`,
  does,
  takes: ['id'],
  options: { reason: textOption, ...(decision === 'approve' && { minutes: textOption, ticket: textOption }) },
  run: async ({ gatehouse }, [id = ''], options) => {
    const body = {
      decision,
      reason: optional(options, 'reason'),
      durationMinutes: wholeNumber(options, 'minutes'),
      ticket: optional(options, 'ticket'),
    };
    const call = gatehouse.POST('/pam/elevation-requests/{id}/respond', { params: { path: { id } }, body });
    const answer = await ok(call);
    const { id: requestId, status, votesGiven, votesRequired } = answer;
    const missing = status === 'pending' ? ` ${votesGiven} of ${votesRequired} approvals are given.` : '';
    return { json: answer, text: `${requestId} is ${status}.${missing}` };
  },
});

const revoke: Command = {
  name: 'requests revoke',
  does: 'revokes an active elevation',
  takes: ['id'],
  options: { reason: textOption },
  run: async ({ gatehouse }, [id = ''], options) => {
    const body = { reason: required(options, 'reason') };
    const call = gatehouse.POST('/pam/elevation-requests/{id}/revoke', { params: { path: { id } }, body });
    const answer = await ok(call);
    return { json: answer, text: `${answer.id} is ${answer.status}.` };
  },
};

export const REQUEST_COMMANDS: readonly Command[] = [
  list,
  show,
  respond('approve', 'approve', 'approves a pending request'),
  respond('deny', 'deny', 'denies a pending request'),
  revoke,
];
