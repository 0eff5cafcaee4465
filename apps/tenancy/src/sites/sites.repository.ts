import type { Page, UserCaller } from '@gatehouse/contracts-core';
import type { SITE_SORTS, SiteQuery, SiteResponse, UpdateSiteDto } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { type Conditions, FoldedColumn, foldedPattern, type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { assignments, insertRow, type NewRow, returned } from '../scope/rows.repository.ts';
import { listPage, orderBy, searchPage } from '../scope/list-page.sql.ts';
import { listedBelow, OF_LIVING_ORGANIZATION, readableBelow } from '../scope/organizations-in-reach.repository.ts';
import { DEVICE_STATE, type PublishedDevice, publishSite } from '../scope/publish-state.ts';

const MAKE = `INSERT INTO sites (id, partner_id, org_id, name, is_default) VALUES ($1, $2, $3, 'Default site', true)
  ON CONFLICT (org_id) WHERE is_default DO NOTHING RETURNING id, org_id, partner_id, name, version`;
const FIND = 'SELECT id FROM sites WHERE org_id = $1 AND is_default';

/** Returns the site for devices that name none, and creates it on first use. */
export async function defaultSiteOf(
  tx: Tx,
  { partnerId, orgId }: { partnerId: string; orgId: string },
): Promise<string> {
  const known = await tx.one<{ id: string }>(FIND, [orgId]);
  if (known) return known.id;
  const made = await tx.one<Pick<SiteEntity, 'id' | 'orgId' | 'partnerId' | 'name' | 'version'>>(MAKE, [
    newId(),
    partnerId,
    orgId,
  ]);
  if (!made) return returned(await tx.one<{ id: string }>(FIND, [orgId])).id;
  const { id, name } = made;
  tx.audit({ action: 'site.create', partnerId, orgId, siteId: id, resource: { type: 'site', id, name } });
  publishSite(tx, made);
  return id;
}

/** A location of an organisation. */
@Entity('sites')
export class SiteEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('varchar') name!: string;
  @Column('varchar', { default: () => "'UTC'::character varying" }) timezone!: string;
  @Column('jsonb', { nullable: true }) address!: object | null;
  @Column('jsonb', { nullable: true }) contact!: object | null;
  @Column('jsonb', { default: () => "'{}'::jsonb" }) settings!: object;
  /** The site for devices that name none; created on first use, at most one for each organisation. */
  @Column('boolean', { default: () => 'false' }) isDefault!: boolean;
  @Column('bigint', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  /** The form in which names are compared (TEN-100). */
  @FoldedColumn('name') foldedName?: string;
}

/**
 * A place from which rows may refer to a site: its organisation, and during a merge also the merged one, so that "site
 * of the same organisation" stays a foreign key while rows move in batches.
 */
@Entity('site_placements')
export class SitePlacementEntity {
  @PrimaryColumn('uuid') siteId!: string;
  @PrimaryColumn('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
}

const COLUMNS = 'id, org_id, name, timezone, address, contact, settings, created_at, updated_at';
/** What the answer needs, and what the event and the audit record need besides. */
const ROW = `${COLUMNS}, partner_id, version`;
export type SiteRow = Omit<SiteEntity, 'isDefault'>;

const SORTED_BY: Record<(typeof SITE_SORTS)[number], string> = { name: 'name', createdAt: 'created_at' };

const ORG_LIVES = OF_LIVING_ORGANIZATION('sites.org_id');
const LIVING_DEVICES = `SELECT id FROM devices WHERE site_id = $1 AND status <> 'decommissioned' LIMIT 1`;
const HOLD_PLACEMENTS = 'SELECT FROM site_placements WHERE site_id = $1 FOR UPDATE';
const UNPIN_CONTACTS = 'UPDATE contacts SET site_id = NULL, is_primary = false WHERE site_id = $1';
const DELETE_DEVICES = `DELETE FROM devices d WHERE site_id = $1 AND status = 'decommissioned'
  RETURNING ${DEVICE_STATE}`;

const sitesInReach = (caller: UserCaller): Conditions =>
  scoped(caller.scope, { partner: 'partner_id', org: 'org_id', site: 'id' });

@Injectable()
export class SitesRepository {
  /** Returns the site if it is in the caller's reach. Below a deleted organisation only the system can read. */
  find(reader: Reader, caller: UserCaller, id: string): Promise<SiteRow | null> {
    const { where, parameters } = sitesInReach(caller).add('id = ?', id).raw(readableBelow(caller, 'sites.org_id'));
    return reader.one<SiteRow>(`SELECT ${ROW} FROM sites ${where}`, parameters);
  }

  /** Whether the site exists in any tenant. */
  async exists(reader: Reader, id: string): Promise<boolean> {
    return (await reader.one(`SELECT id FROM sites WHERE id = $1 AND ${ORG_LIVES}`, [id])) !== null;
  }

  list(reader: Reader, caller: UserCaller, query: SiteQuery): Promise<Page<SiteResponse>> {
    const conditions = sitesInReach(caller)
      .add('org_id = ?', query.orgId)
      .add('org_id = ?', query.organizationId)
      .add('folded_name LIKE ?', foldedPattern(query.search))
      .raw(listedBelow(caller, 'org_id'));
    return (query.search ? searchPage : listPage)<SiteResponse>(reader, query, {
      columns: COLUMNS,
      from: 'sites',
      conditions,
      ...orderBy(query.sort, SORTED_BY, ['name', 'id']),
    });
  }

  insert(tx: Tx, site: NewRow<SiteEntity>): Promise<SiteRow> {
    return insertRow(tx, SiteEntity, { ...site, id: newId() });
  }

  update(tx: Tx, caller: UserCaller, id: string, updates: UpdateSiteDto): Promise<SiteRow | null> {
    const conditions = sitesInReach(caller).add('id = ?', id);
    const set = assignments(updates, conditions);
    return tx.one<SiteRow>(`UPDATE sites SET ${set} ${conditions.where} RETURNING ${ROW}`, conditions.parameters);
  }

  /**
   * Locks the site, so that concurrent enrolments and moves that would add a device wait; and its placements, because
   * pinning a contact to the site needs that lock through the foreign key.
   */
  async lockForDeletion(tx: Tx, caller: UserCaller, id: string): Promise<boolean> {
    const { where, parameters } = sitesInReach(caller).add('id = ?', id);
    if (!(await tx.one(`SELECT id FROM sites ${where} FOR UPDATE`, parameters))) return false;
    await tx.query(HOLD_PLACEMENTS, [id]);
    return true;
  }

  async hasDevicesInService(tx: Tx, id: string): Promise<boolean> {
    return (await tx.one(LIVING_DEVICES, [id])) !== null;
  }

  async unpinContacts(tx: Tx, id: string): Promise<void> {
    await tx.query(UNPIN_CONTACTS, [id]);
  }

  deleteDecommissionedDevices(tx: Tx, id: string): Promise<PublishedDevice[]> {
    return tx.query<PublishedDevice>(DELETE_DEVICES, [id]);
  }

  /** The deletion is published as a state with a version of its own, newer than the last. */
  async delete(tx: Tx, caller: UserCaller, id: string): Promise<SiteRow> {
    const { where, parameters } = sitesInReach(caller).add('id = ?', id);
    const site = await tx.one<SiteRow>(`DELETE FROM sites ${where} RETURNING ${ROW}`, parameters);
    const { version, ...deleted } = returned(site);
    return { ...deleted, version: version + 1 };
  }
}
