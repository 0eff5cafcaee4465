import { type DataOf, ok } from '@gatehouse/client';
import { type Command, oneOf, optional, required, table, textOption, wholeNumber } from '../command.ts';

type ElevationRequest = DataOf<'/pam/elevation-requests', 'get'>['requests'][number];

const STATUSES = ['pending', 'approved', 'auto_approved', 'denied', 'expired', 'revoked', 'actuating'] as const;

const tableOf = (requests: readonly ElevationRequest[]): string =>
  table(
    ['id', 'status', 'requested', 'device', 'user', 'program or tool', 'signer'],
    requests.map((request) => [
      request.id,
      request.status,
      request.requestedAt,
      request.deviceHostname,
      request.subjectUsername,
      request.targetExecutablePath ?? request.toolName ?? null,
      request.targetExecutableSigner,
    ]),
  );

const list: Command = {
  name: 'requests list',
  does: 'lists elevation requests, newest first',
  options: { status: textOption, org: textOption, device: textOption, page: textOption, limit: textOption },
  run: async ({ gatehouse }, _, options) => {
    const status = oneOf(options, 'status', STATUSES);
    const query = {
      status: status && [status],
      orgId: optional(options, 'org'),
      deviceId: optional(options, 'device'),
      page: wholeNumber(options, 'page'),
      limit: wholeNumber(options, 'limit'),
    };
    const answer = await ok(gatehouse.GET('/pam/elevation-requests', { params: { query } }));
    const { total } = answer.pagination;
    return { json: answer, text: `${tableOf(answer.requests)}\n${answer.requests.length} of ${total}` };
  },
};

const respond = (name: string, decision: 'approve' | 'deny', does: string): Command => ({
  name: `requests ${name}`,
  does,
  takes: ['id'],
  options: { reason: textOption, ...(decision === 'approve' && { minutes: textOption }) },
  run: async ({ gatehouse }, [id = ''], options) => {
    const body = {
      decision,
      reason: optional(options, 'reason'),
      durationMinutes: wholeNumber(options, 'minutes'),
    };
    const call = gatehouse.POST('/pam/elevation-requests/{id}/respond', { params: { path: { id } }, body });
    const answer = await ok(call);
    return { json: answer, text: `${answer.id} is ${answer.status}.` };
  },
});

const revoke: Command = {
  name: 'requests revoke',
  does: 'ends an approval before its time',
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
  respond('approve', 'approve', 'approves a pending request'),
  respond('deny', 'deny', 'denies a pending request'),
  revoke,
];
