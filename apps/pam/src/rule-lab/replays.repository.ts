import type { TenantScope } from '@gatehouse/contracts-core';
import type { DecisionOutcome } from '@gatehouse/contracts-pam';
import { type Conditions, type Reader, scoped, type Tx } from '@gatehouse/database';
import type { ReplayChangeEntity, ReplayEntity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { ofReadable } from '../tenants/hidden-organizations.repository.ts';
import type { Organization } from '../tenants/organizations.repository.ts';
import type { Author } from './candidates.ts';

export type ReplayRow = Omit<ReplayEntity, 'lease' | 'leasedUntil' | 'attempts' | 'servedAt'>;
export type NewReplay = Pick<
  ReplayRow,
  'id' | 'name' | 'sites' | 'flowType' | 'changes' | 'defaultUnmatchedVerdict' | 'rulebookVersion' | 'createdBy'
> & { readonly windowDays: number };
export type ReplayChangeRow = ReplayChangeEntity;

export interface ChangesFilter {
  readonly from?: DecisionOutcome;
  readonly to?: DecisionOutcome;
  readonly deviceId?: string;
  readonly limit: number;
  readonly offset: number;
}

const COLUMNS = `p.id, p.partner_id, p.org_id, p.name, p.state, p.sites, p.flow_type, p.since, p.changes, p.default_unmatched_verdict, p.rulebook_version, p.position,
  p.done, p.total, p.tally, p.summary, p.error, p.created_by, p.created_at, p.finished_at, p.applied_at`;
const INSERT = `
  INSERT INTO pam_replays (id, partner_id, org_id, name, sites, flow_type, since, changes, default_unmatched_verdict,
    rulebook_version, created_by)
  VALUES ($1, $2, $3, $4, $5, $6, now() - make_interval(days => $7), $8, $9, $10, $11)
  ON CONFLICT (org_id) WHERE state IN ('queued', 'running') DO NOTHING RETURNING id`;
const UNDER_WAY = `SELECT id FROM pam_replays WHERE org_id = $1 AND state IN ('queued', 'running')`;
const RULEBOOK_VERSION = 'SELECT version FROM rulebook_versions WHERE org_id = $1';
const CANCEL = `UPDATE pam_replays AS p SET state = 'cancelled', finished_at = now() WHERE id = $1
  RETURNING ${COLUMNS}`;
const APPLIED = 'UPDATE pam_replays SET applied_at = now() WHERE id = $1';
const LISTED = 50;

/** A replay shows requests of the sites that its author reached, so its readers must reach them all. */
function within(scope: TenantScope): Conditions {
  const where = scoped(scope, { partner: 'p.partner_id', org: 'p.org_id' }).raw(ofReadable(scope, 'p.org_id'));
  return scope.sites === 'all' ? where : where.add('p.sites <@ ?::uuid[]', [...scope.sites]);
}

@Injectable()
export class ReplaysRepository {
  /** @returns whether no other replay of the organisation is under way, so that this one was inserted */
  async insert(tx: Tx, { orgId, partnerId }: Organization, replay: NewReplay): Promise<boolean> {
    const { id, name, sites, flowType, windowDays, changes, defaultUnmatchedVerdict, rulebookVersion, createdBy } =
      replay;
    const inserted = await tx.one(INSERT, [
      id,
      partnerId,
      orgId,
      name,
      sites,
      flowType,
      windowDays,
      JSON.stringify(changes),
      defaultUnmatchedVerdict,
      rulebookVersion,
      createdBy,
    ]);
    return inserted !== null;
  }

  async underWay(reader: Reader, { orgId }: Organization): Promise<string | null> {
    return (await reader.one<{ id: string }>(UNDER_WAY, [orgId]))?.id ?? null;
  }

  async rulebookVersion(reader: Reader, { orgId }: Organization): Promise<number | null> {
    return (await reader.one<{ version: number }>(RULEBOOK_VERSION, [orgId]))?.version ?? null;
  }

  /** The newest replays of an organisation. */
  list(reader: Reader, scope: TenantScope, orgId: string): Promise<ReplayRow[]> {
    const where = within(scope).add('p.org_id = ?', orgId);
    return reader.query<ReplayRow>(
      `SELECT ${COLUMNS} FROM pam_replays p ${where.where} ORDER BY p.created_at DESC, p.id DESC LIMIT ${LISTED}`,
      where.parameters,
    );
  }

  find(reader: Reader, scope: TenantScope, id: string): Promise<ReplayRow | null> {
    const where = within(scope).add('p.id = ?', id);
    return reader.one<ReplayRow>(`SELECT ${COLUMNS} FROM pam_replays p ${where.where}`, where.parameters);
  }

  /** Who asked for the replay; null for a person whom the product no longer knows. */
  authorOf(tx: Tx, { createdBy }: ReplayRow): Promise<Author | null> {
    return tx.one<Author>('SELECT user_id, name, email FROM technician_ref WHERE user_id = $1', [createdBy]);
  }

  /** Reads the replay and locks its row until the transaction ends. */
  lock(tx: Tx, scope: TenantScope, id: string): Promise<ReplayRow | null> {
    const where = within(scope).add('p.id = ?', id);
    return tx.one<ReplayRow>(`SELECT ${COLUMNS} FROM pam_replays p ${where.where} FOR UPDATE OF p`, where.parameters);
  }

  /** Newest first. */
  async changes(
    reader: Reader,
    replayId: string,
    { from, to, deviceId, limit, offset }: ChangesFilter,
  ): Promise<{ rows: ReplayChangeRow[]; total: number }> {
    const where = scoped(reader.caller.scope, { partner: 'c.partner_id', org: 'c.org_id' })
      .add('c.replay_id = ?', replayId)
      .add(`c.before->>'outcome' = ?`, from)
      .add('c.outcome = ?', to)
      .add('c.device_id = ?', deviceId);
    const counted = await reader.one<{ total: number }>(
      `SELECT count(*) AS total FROM pam_replay_changes c ${where.where}`,
      where.parameters,
    );
    const rows = await reader.query<ReplayChangeRow>(
      `SELECT c.* FROM pam_replay_changes c ${where.where} ORDER BY c.request_id DESC
        LIMIT ${where.bind(limit)} OFFSET ${where.bind(offset)}`,
      where.parameters,
    );
    return { rows, total: counted?.total ?? 0 };
  }

  /** Call this only for a replay read by {@link lock}. */
  async cancel(tx: Tx, id: string): Promise<ReplayRow> {
    const [cancelled] = await tx.query<ReplayRow>(CANCEL, [id]);
    return cancelled!;
  }

  /** Call this only for a replay read by {@link lock}. */
  async noteApplied(tx: Tx, id: string): Promise<void> {
    await tx.query(APPLIED, [id]);
  }
}
