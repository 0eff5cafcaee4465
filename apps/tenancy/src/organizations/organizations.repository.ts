import { type Page, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import {
  HIDDEN_STATUSES,
  type ORGANIZATION_SORTS,
  type OrganizationQuery,
  type OrganizationResponse,
  type OrganizationStatus,
  type UpdateOrganizationDto,
} from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { type Conditions, onConstraint, type Reader, scoped, type Tx, foldedPattern } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { assignments, returned } from '../scope/assignments.ts';
import { insertRow, type NewRow } from '../scope/insert-row.repository.ts';
import { listPage, orderBy, searchPage } from '../scope/list-page.sql.ts';
import { organizationNotFound } from '../scope/organizations-in-reach.repository.ts';
import { OrganizationEntity } from './organization.entity.ts';

const COLUMNS = `id, partner_id, name, slug, type, status, max_devices, settings, sso_config, billing_contact,
  contract_start, contract_end, archived_at, purge_at, merged_into_id, version, created_at, updated_at, deleted_at`;
export type OrganizationRow = Omit<OrganizationEntity, 'position' | 'hidden'>;

const DEVICES_IN_SERVICE = `SELECT id, org_id, partner_id FROM devices WHERE org_id = $1
  AND status <> 'decommissioned'`;

const BEGIN_MERGE = `UPDATE organizations SET status = 'merging' WHERE id = $1 AND status = $2 RETURNING ${COLUMNS}`;
const COMPLETE_MERGE = `
  UPDATE organizations SET status = 'churned', deleted_at = now(), merged_into_id = $2, purge_at = NULL WHERE id = $1
  RETURNING ${COLUMNS}`;
const UNDO_MERGE = `UPDATE organizations SET status = $2 WHERE id = $1 RETURNING ${COLUMNS}`;
const BEGIN_DUE_PURGES = `
  UPDATE organizations SET status = 'purging' WHERE id IN (
    SELECT id FROM organizations WHERE status = 'archived' AND purge_at <= now() AND deleted_at IS NULL
     ORDER BY purge_at LIMIT 10 FOR UPDATE SKIP LOCKED)
  RETURNING ${COLUMNS}`;
const COMPLETE_PURGE = `
  UPDATE organizations SET deleted_at = now(), settings = '{}', sso_config = NULL, billing_contact = NULL WHERE id = $1
  RETURNING ${COLUMNS}`;

const slugTaken = {
  organization_slug_unique: () => new ProblemError('slug_taken', 'Another organization of this partner has this slug.'),
};

const inReach = (caller: UserCaller): Conditions => scoped(caller.scope, { partner: 'partner_id', org: 'id' });
const SORTED_BY: Record<(typeof ORGANIZATION_SORTS)[number], string> = {
  name: 'name',
  status: 'status',
  createdAt: 'created_at',
};

/** States whether the rows are hidden wherever that is certain, because the indexes of the lists are partial. */
function withStatus(conditions: Conditions, statuses: readonly OrganizationStatus[] | undefined): Conditions {
  if (!statuses) return conditions.raw('NOT hidden');
  const hidden = statuses.filter((status) => HIDDEN_STATUSES.includes(status));
  conditions.add('status = ANY (?::text[])', statuses).raw('deleted_at IS NULL');
  if (hidden.length === 0) return conditions.raw('NOT hidden');
  return hidden.length === statuses.length ? conditions.raw('hidden') : conditions;
}

@Injectable()
export class OrganizationsRepository {
  /** @throws ProblemError organization_not_found, whether it is missing, deleted or another tenant's */
  get(reader: Reader, caller: UserCaller, id: string): Promise<OrganizationRow> {
    return find(reader, caller, id, '');
  }

  /** As {@link get}; no other transaction changes the organisation until this one ends. */
  lock(tx: Tx, caller: UserCaller, id: string): Promise<OrganizationRow> {
    return find(tx, caller, id, 'FOR UPDATE');
  }

  /** Pages follow the partner's preferred order, unless the query sorts. */
  list(reader: Reader, caller: UserCaller, query: OrganizationQuery): Promise<Page<OrganizationResponse>> {
    const conditions = withStatus(inReach(caller), query.status)
      .add('partner_id = ?', query.partnerId)
      .add('folded_name LIKE ?', foldedPattern(query.search));
    return (query.search ? searchPage : listPage)<OrganizationResponse>(reader, query, {
      columns: COLUMNS,
      from: 'organizations',
      conditions,
      ...orderBy(
        query.sort,
        SORTED_BY,
        caller.level === 'system' && !query.partnerId ? ['name', 'id'] : ['position', 'name', 'id'],
      ),
    });
  }

  /** All organisations in the caller's reach, by name. */
  listAll(reader: Reader, caller: UserCaller): Promise<OrganizationResponse[]> {
    const { where, parameters } = withStatus(inReach(caller), undefined);
    return reader.query<OrganizationResponse>(
      `SELECT ${COLUMNS} FROM organizations ${where} ORDER BY name, id`,
      parameters,
    );
  }

  insert(tx: Tx, organization: NewRow<OrganizationEntity>): Promise<OrganizationRow> {
    return insertRow(tx, OrganizationEntity, { ...organization, id: newId() }).catch(onConstraint(slugTaken));
  }

  async update(tx: Tx, caller: UserCaller, id: string, updates: UpdateOrganizationDto): Promise<OrganizationRow> {
    const conditions = inReach(caller).add('id = ?', id);
    const set = assignments(updates, conditions);
    const sql = `UPDATE organizations SET ${set} ${conditions.where} RETURNING ${COLUMNS}`;
    return returned(await tx.one<OrganizationRow>(sql, conditions.parameters).catch(onConstraint(slugTaken)));
  }

  /** @param retentionDays null: the data is never purged */
  async archive(tx: Tx, caller: UserCaller, id: string, retentionDays: number | null): Promise<OrganizationRow> {
    const conditions = inReach(caller).add('id = ?', id);
    const purgeAt = `now() + ${conditions.bind(retentionDays)}::integer * interval '1 day'`;
    const sql = `
      UPDATE organizations SET status = 'archived', archived_at = now(), purge_at = ${purgeAt} ${conditions.where}
      RETURNING ${COLUMNS}`;
    return returned(await tx.one<OrganizationRow>(sql, conditions.parameters));
  }

  /** Returns null unless the organisation is archived. */
  restore(tx: Tx, caller: UserCaller, id: string): Promise<OrganizationRow | null> {
    const { where, parameters } = inReach(caller).add('id = ?', id).raw(`status = 'archived' AND deleted_at IS NULL`);
    const sql = `
      UPDATE organizations SET status = 'active', archived_at = NULL, purge_at = NULL ${where} RETURNING ${COLUMNS}`;
    return tx.one<OrganizationRow>(sql, parameters);
  }

  async softDelete(tx: Tx, caller: UserCaller, id: string): Promise<OrganizationRow> {
    const { where, parameters } = inReach(caller).add('id = ?', id);
    const sql = `UPDATE organizations SET deleted_at = now() ${where} RETURNING ${COLUMNS}`;
    return returned(await tx.one<OrganizationRow>(sql, parameters));
  }

  devicesInService(tx: Tx, id: string): Promise<{ id: string; orgId: string; partnerId: string }[]> {
    return tx.query(DEVICES_IN_SERVICE, [id]);
  }

  /** Returns null if the organisation no longer has the status that the caller saw. */
  beginMerge(tx: Tx, id: string, statusBefore: OrganizationStatus): Promise<OrganizationRow | null> {
    return tx.one<OrganizationRow>(BEGIN_MERGE, [id, statusBefore]);
  }

  async completeMerge(tx: Tx, id: string, survivorId: string | null): Promise<OrganizationRow> {
    return returned(await tx.one<OrganizationRow>(COMPLETE_MERGE, [id, survivorId]));
  }

  async undoMerge(tx: Tx, id: string, statusBefore: OrganizationStatus): Promise<OrganizationRow> {
    return returned(await tx.one<OrganizationRow>(UNDO_MERGE, [id, statusBefore]));
  }

  /** Begins the purge of some archived organisations whose retention is over. */
  beginDuePurges(tx: Tx): Promise<OrganizationRow[]> {
    return tx.query<OrganizationRow>(BEGIN_DUE_PURGES);
  }

  async completePurge(tx: Tx, id: string): Promise<OrganizationRow> {
    return returned(await tx.one<OrganizationRow>(COMPLETE_PURGE, [id]));
  }
}

async function find(reader: Reader, caller: UserCaller, id: string, lock: '' | 'FOR UPDATE'): Promise<OrganizationRow> {
  const { where, parameters } = inReach(caller).add('id = ?', id).raw('deleted_at IS NULL');
  const sql = `SELECT ${COLUMNS} FROM organizations ${where} ${lock}`;
  const organization = await reader.one<OrganizationRow>(sql, parameters);
  if (!organization) throw organizationNotFound();
  return organization;
}
