import { ProblemError } from '@gatehouse/contracts-core';
import type { ReplayChangeRecord, ReplayRecord } from '@gatehouse/contracts-pam';
import type { ReplayChangeRow, ReplayRow } from './replays.repository.ts';

export const replayView = ({ id, state, done, total, error, name, summary }: ReplayRow): ReplayRecord => ({
  jobId: id,
  state,
  progress: { done, total: Math.max(done, total) },
  ...(error !== null && { error }),
  name,
  summary,
});

export const changeView = (row: ReplayChangeRow): ReplayChangeRecord => ({
  requestId: row.requestId,
  requestedAt: row.requestedAt.toISOString(),
  deviceId: row.deviceId,
  deviceHostname: row.deviceHostname,
  flowType: row.flowType,
  before: row.before,
  after: row.after,
  recorded: { status: row.recordedStatus, source: row.recordedSource },
});

export const noReplay = (): ProblemError => new ProblemError('replay_not_found', 'There is no such replay.');
