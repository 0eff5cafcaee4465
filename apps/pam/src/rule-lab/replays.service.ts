import { type AuditEntry, offsetOf, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { CreateReplayDto, ReplayChangeRecord, ReplayChangesQuery, ReplayRecord } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { type Reader, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { isEmptyAtOnce, isWhereNamed, type NamedThing } from '../tenants/require-place.ts';
import { type Organization, OrganizationsRepository } from '../tenants/organizations.repository.ts';
import { Candidates, requireSeen } from './candidates.ts';
import { ruleChangesOf } from './rule-changes.ts';
import { type NewReplay, type ReplayChangeRow, type ReplayRow, ReplaysRepository } from './replays.repository.ts';

const replayView = ({ id, state, done, total, error, name, createdAt, summary }: ReplayRow): ReplayRecord => ({
  jobId: id,
  state,
  progress: { done, total: Math.max(done, total) },
  ...(error !== null && { error }),
  name,
  createdAt: createdAt.toISOString(),
  summary,
});

const changeView = (row: ReplayChangeRow): ReplayChangeRecord => ({
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

const startOf = (
  { orgId, partnerId }: Organization,
  { id, name, changes, windowDays, flowType, sites, defaultUnmatchedVerdict, rulebookVersion }: NewReplay,
): AuditEntry => ({
  action: 'pam.replay.start',
  resource: { type: 'pam.ruleset', id, name },
  orgId,
  partnerId,
  details: {
    rulebookVersion,
    windowDays,
    changes: changes.length,
    ...(flowType && { flowType }),
    ...(sites && { sites }),
    ...(defaultUnmatchedVerdict && { defaultUnmatchedVerdict }),
  },
});

@Injectable()
export class ReplaysService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly replays: ReplaysRepository,
    private readonly organizations: OrganizationsRepository,
    private readonly candidates: Candidates,
  ) {}

  listReplayChanges(
    caller: UserCaller,
    id: string,
    query: ReplayChangesQuery,
  ): Promise<{ changes: ReplayChangeRecord[]; total: number }> {
    return this.work.read(caller, async (reader) => {
      const replay = await this.find(reader, caller, { id, orgId: query.orgId });
      const { from, to, deviceId, limit } = query;
      const filter = { from, to, deviceId, limit, offset: offsetOf(query) };
      const { rows, total } = await this.replays.changes(reader, replay.id, filter);
      return { changes: rows.map(changeView), total };
    });
  }

  async list(caller: UserCaller, named: string | undefined): Promise<ReplayRecord[]> {
    if (isEmptyAtOnce(caller, { orgId: named })) return [];
    return this.work.read(caller, async (reader) => {
      const { orgId } = await this.organizations.resolve(reader, caller, named);
      return (await this.replays.list(reader, caller.scope, orgId)).map(replayView);
    });
  }

  get(caller: UserCaller, named: NamedThing): Promise<ReplayRecord> {
    return this.work.read(caller, async (reader) => replayView(await this.find(reader, caller, named)));
  }

  async find(reader: Reader, caller: UserCaller, named: NamedThing): Promise<ReplayRow> {
    const replay = await this.replays.find(reader, caller.scope, named.id);
    if (!replay || !isWhereNamed(named, replay)) throw noReplay();
    return replay;
  }

  cancel(caller: UserCaller, named: NamedThing): Promise<ReplayRecord> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const replay = await this.replays.lock(tx, caller.scope, named.id);
      if (!replay || !isWhereNamed(named, replay)) throw noReplay();
      if (replay.state !== 'queued' && replay.state !== 'running')
        throw new ProblemError('conflict', `The replay is ${replay.state}.`);
      return replayView(await this.replays.cancel(tx, replay.id));
    });
  }

  /**
   * Queues a replay of past requests under a changed rule set (PAM-240). Nothing else changes.
   * @returns the id of the job
   * @throws ProblemError org_required, organization_not_found, organization_frozen, job_running, and those of the rules
   */
  start(caller: UserCaller, draft: CreateReplayDto): Promise<string> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const organization = await this.organizations.resolveWritable(tx, caller, draft.orgId);
      const changes = ruleChangesOf(draft.changes, organization.orgId);
      const defaultUnmatchedVerdict = draft.defaultUnmatchedVerdict ?? null;
      const plan = { changes, defaultUnmatchedVerdict, authors: [] };
      const { version, standing } = await this.candidates.hold(tx, organization, plan);
      requireSeen(caller, plan, standing);
      const { sites } = caller.scope;
      const replay = {
        changes,
        defaultUnmatchedVerdict,
        id: newId(),
        name: draft.name ?? null,
        sites: sites === 'all' ? null : [...sites],
        flowType: draft.flowType ?? null,
        windowDays: draft.windowDays,
        rulebookVersion: version,
        createdBy: caller.userId,
      };
      if (await this.replays.insert(tx, organization, replay)) {
        tx.audit(startOf(organization, replay));
        return replay.id;
      }
      const jobId = await this.replays.underWay(tx, organization);
      throw new ProblemError('job_running', 'A replay of this organisation is already in progress.', { jobId });
    });
  }
}
