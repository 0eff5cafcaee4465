import { type Page, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import {
  HIDDEN_STATUSES,
  type ORGANIZATION_SORTS,
  type OrganizationQuery,
  type OrganizationResponse,
  type OrganizationStatus,
  type OrganizationType,
  type UpdateOrganizationDto,
} from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import {
  type Conditions,
  FoldedColumn,
  foldedPattern,
  onConstraint,
  type Reader,
  scoped,
  type Tx,
} from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { assignments, insertRow, type NewRow, returned } from '../scope/rows.repository.ts';
import { listPage, orderBy, searchPage } from '../scope/list-page.sql.ts';
import { holdPartner, OF_LIVING_PARTNER, organizationNotFound } from '../scope/organizations-in-reach.repository.ts';

interface OwnFigures {
  readonly orgId: string;
  readonly partnerId: string;
  readonly devices: number;
  readonly devicesOnline: number;
  readonly sites: number;
}

/** The exact device counts of an organisation, by status (see the migration of device lists). */
const DEVICES = `
  SELECT coalesce(sum(c.count) FILTER (WHERE c.status <> 'decommissioned'), 0)::bigint AS devices,
         coalesce(sum(c.count) FILTER (WHERE c.status = 'online'), 0)::bigint AS devices_online
    FROM (SELECT * FROM device_counts UNION ALL SELECT * FROM device_count_deltas) AS c
   WHERE c.partner_id = o.partner_id AND c.org_id = o.id`;

@Injectable()
export class OrganizationSummaryRepository {
  /** Counts what this service holds of the organisations in the caller's reach, in the order of the ids. */
  count(reader: Reader, caller: UserCaller, ids: readonly string[]): Promise<OwnFigures[]> {
    const conditions = scoped(caller.scope, { partner: 'o.partner_id', org: 'o.id' });
    const asked = conditions.bind(ids);
    const { where, parameters } = conditions.raw(`o.id = ANY (${asked}::uuid[]) AND o.deleted_at IS NULL`);
    return reader.query<OwnFigures>(
      `SELECT o.id AS org_id, o.partner_id, d.devices, d.devices_online,
              (SELECT count(*) FROM sites s WHERE s.org_id = o.id) AS sites
         FROM organizations o CROSS JOIN LATERAL (${DEVICES}) AS d
         ${where} ORDER BY array_position(${asked}::uuid[], o.id)`,
      parameters,
    );
  }
}

const TAKE = `
  UPDATE partner_counters c SET organizations = c.organizations + 1, last_position = c.last_position + 1 FROM partners p
   WHERE c.partner_id = $1 AND p.id = c.partner_id AND p.deleted_at IS NULL
     AND (p.max_organizations IS NULL OR c.organizations < p.max_organizations)
  RETURNING c.last_position`;
const CAP = 'SELECT max_organizations FROM partners WHERE id = $1 AND deleted_at IS NULL';
const RELEASE = 'UPDATE partner_counters SET organizations = organizations - 1 WHERE partner_id = $1';
const LOCK = 'SELECT partner_id FROM partner_counters WHERE partner_id = $1 FOR UPDATE';
const BY_AGE = 'SELECT id FROM organizations WHERE partner_id = $1 AND deleted_at IS NULL ORDER BY created_at, id';
const MOVE = `
  UPDATE organizations o SET position = wanted.place FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted(id, place)
   WHERE o.partner_id = $1 AND o.id = wanted.id AND o.position <> wanted.place`;
const STORE_LAST = 'UPDATE partner_counters SET last_position = $2 WHERE partner_id = $1';

/** The organisations that count against a partner's cap, and their positions in its preferred order. */
@Injectable()
export class OrganizationPlacesRepository {
  /** Counts a new organisation and returns its position. The counter's row is the lock that enforces the cap. */
  async take(tx: Tx, partnerId: string): Promise<number> {
    const place = await tx.one<{ lastPosition: number | null }>(TAKE, [partnerId]);
    await holdPartner(tx, partnerId);
    if (place) return place.lastPosition ?? 0;
    const { maxOrganizations: limit } = returned(await tx.one<{ maxOrganizations: number }>(CAP, [partnerId]));
    throw new ProblemError('organization_limit_reached', 'This partner has reached its organisation limit.', { limit });
  }

  async release(tx: Tx, partnerId: string): Promise<void> {
    await tx.query(RELEASE, [partnerId]);
  }

  /**
   * Returns the partner's organisations, the oldest first. Concurrent creations wait for the lock; otherwise they would
   * take a position that the new order assigns.
   */
  async lock(tx: Tx, partnerId: string): Promise<string[]> {
    await tx.query(LOCK, [partnerId]);
    return (await tx.query<{ id: string }>(BY_AGE, [partnerId])).map(({ id }) => id);
  }

  async order(tx: Tx, partnerId: string, order: readonly string[]): Promise<void> {
    await tx.query(MOVE, [partnerId, order]);
    await tx.query(STORE_LAST, [partnerId, order.length]);
  }
}

/** A customer of one partner. */
@Entity('organizations')
export class OrganizationEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  @Column('varchar') name!: string;
  @Column('varchar') slug!: string;
  @Column('text', { default: () => "'customer'::text" }) type!: OrganizationType;
  @Column('text', { default: () => "'active'::text" }) status!: OrganizationStatus;
  @Column('integer', { nullable: true }) maxDevices!: number | null;
  @Column('jsonb', { default: () => "'{}'::jsonb" }) settings!: object;
  @Column('jsonb', { nullable: true }) ssoConfig!: object | null;
  @Column('jsonb', { nullable: true }) billingContact!: object | null;
  @Column('timestamptz', { nullable: true }) contractStart!: Date | null;
  @Column('timestamptz', { nullable: true }) contractEnd!: Date | null;
  /** The place in the partner's preferred order; 0 until the partner chooses one. */
  @Column('integer', { default: () => '0' }) position!: number;
  @Column('timestamptz', { nullable: true }) archivedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) purgeAt!: Date | null;
  @Column('uuid', { nullable: true }) mergedIntoId!: string | null;
  /** Lists leave out what is below a hidden organisation: one that is deleted, archived or being purged. */
  @Column({
    type: 'boolean',
    generatedType: 'STORED',
    asExpression: "((deleted_at IS NOT NULL) OR (status = ANY (ARRAY['archived'::text, 'purging'::text])))",
    insert: false,
    update: false,
  })
  hidden!: boolean;
  @Column('bigint', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  @Column('timestamptz', { nullable: true }) deletedAt!: Date | null;
  /** The form in which names are compared (TEN-100). */
  @FoldedColumn('name') foldedName?: string;
}

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
  organization_slug_unique: () => new ProblemError('slug_taken', 'Another organisation of this partner has this slug.'),
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
  const { where, parameters } = inReach(caller)
    .add('id = ?', id)
    .raw(lock ? `deleted_at IS NULL AND ${OF_LIVING_PARTNER}` : 'deleted_at IS NULL');
  const sql = `SELECT ${COLUMNS} FROM organizations ${where} ${lock}`;
  const organization = await reader.one<OrganizationRow>(sql, parameters);
  if (!organization) throw organizationNotFound();
  return organization;
}
