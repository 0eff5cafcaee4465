import type { TenantScope, UserCaller } from '@gatehouse/contracts-core';
import { MAX_FREEZES } from '@gatehouse/contracts-pam';
import { Conditions, type Reader, type Tx } from '@gatehouse/database';
import { type FreezeEntity, IN_FORCE } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { HiddenOrganizationsRepository, ofReadable, outside } from '../tenants/hidden-organizations.repository.ts';
import type { Place } from '../tenants/policy-targets.repository.ts';

export interface FreezeRow extends Omit<FreezeEntity, 'asked' | 'askedUpTo' | 'leasedUntil'> {
  /** The site of a frozen site or device, as it is now. */
  readonly siteId: string | null;
  /** Null when the target is gone. */
  readonly targetName: string | null;
}

export type NewFreeze = Pick<FreezeEntity, 'id' | 'level' | 'targetId' | 'mode' | 'reason' | 'expiresAt'> & {
  readonly revokeOpen: boolean;
};

/** After a merge the organisation of a freeze is the survivor. */
const TARGET = `CASE f.level WHEN 'organization' THEN f.org_id ELSE f.target_id END`;
const SITE = `CASE f.level WHEN 'site' THEN f.target_id WHEN 'device'
  THEN (SELECT d.site_id FROM device_ref d WHERE d.device_id = f.target_id) END`;
const NAME = `
  CASE f.level WHEN 'partner' THEN (SELECT p.name FROM partner_ref p WHERE p.partner_id = f.target_id)
               WHEN 'organization' THEN (SELECT o.name FROM org_ref o WHERE o.org_id = f.org_id)
               WHEN 'site' THEN (SELECT s.name FROM site_ref s WHERE s.site_id = f.target_id)
               ELSE (SELECT d.hostname FROM device_ref d WHERE d.device_id = f.target_id) END`;
const COLUMNS = `f.id, f.partner_id, f.org_id, f.level, ${TARGET} AS target_id, f.mode, f.reason, f.created_by, f.created_by_name, f.created_at, f.expires_at,
  f.ended_at, f.lifted_by, f.lifted_by_name, f.lift_reason, f.revoked, f.withdrawn, f.done, ${SITE} AS site_id, ${NAME} AS target_name`;
const INSERT = `
  INSERT INTO pam_freezes AS f (id, partner_id, org_id, level, target_id, mode, reason, created_by, created_by_name,
    expires_at, done, asked)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, NOT $11::boolean, $6 = 'hold')`;
const BEGIN = `UPDATE pam_freezes f SET created_at = clock_timestamp() WHERE f.id = $1 RETURNING ${COLUMNS}`;
const LIFT = `
  UPDATE pam_freezes f SET ended_at = now(), lifted_by = $2, lifted_by_name = $3, lift_reason = $4
   WHERE f.id = $1 AND ${IN_FORCE} RETURNING ${COLUMNS}`;
const EXPIRE_ONE = `
  UPDATE pam_freezes f SET ended_at = now()
   WHERE f.id = (SELECT e.id FROM pam_freezes e WHERE e.ended_at IS NULL AND e.expires_at <= now() LIMIT 1 FOR
     UPDATE SKIP LOCKED) RETURNING ${COLUMNS}`;

/** Every caller of a partner sees the freezes of the whole partner. */
function within({ partner, orgs }: TenantScope): Conditions {
  const conditions = new Conditions();
  if (partner === null) return conditions.raw('FALSE');
  if (partner !== 'all') conditions.add('f.partner_id = ?::uuid', partner);
  if (orgs !== 'all') conditions.add('(f.org_id IS NULL OR f.org_id = ANY (?::uuid[]))', [...orgs]);
  return conditions;
}

const AT_SITES = `(f.level IN ('partner', 'organization') OR ${SITE} = ANY (?::uuid[]))`;

@Injectable()
export class FreezesRepository {
  constructor(private readonly hidden: HiddenOrganizationsRepository) {}

  /** The newest freezes that cover something in the caller's reach. */
  async list(
    reader: Reader,
    scope: TenantScope,
    { active, orgId }: { readonly active?: boolean; readonly orgId?: string },
  ): Promise<FreezeRow[]> {
    const where = outside(within(scope), 'f.org_id', await this.hidden.ids(reader, scope)).add(
      '(f.org_id = ? OR (f.org_id IS NULL AND f.partner_id = (SELECT o.partner_id FROM org_ref o WHERE o.org_id = ?)))',
      orgId,
    );
    if (scope.sites !== 'all') where.add(AT_SITES, [...scope.sites]);
    if (active !== undefined) where.raw(active ? IN_FORCE : `NOT (${IN_FORCE})`);
    return reader.query<FreezeRow>(
      `SELECT ${COLUMNS} FROM pam_freezes f ${where.where} ORDER BY f.id DESC LIMIT ${MAX_FREEZES}`,
      where.parameters,
    );
  }

  /** Reads the freeze and locks its row until the transaction ends. */
  lock(tx: Tx, scope: TenantScope, id: string): Promise<FreezeRow | null> {
    const where = within(scope).add('f.id = ?', id).raw(ofReadable(scope, 'f.org_id'));
    return tx.one<FreezeRow>(`SELECT ${COLUMNS} FROM pam_freezes f ${where.where} FOR UPDATE OF f`, where.parameters);
  }

  /** How many other sites and devices are frozen in an organisation. */
  async countOthers(tx: Tx, orgId: string, targetId: string): Promise<number> {
    const sql = `SELECT count(DISTINCT f.target_id) AS count FROM pam_freezes f WHERE f.org_id = $1
      AND f.target_id <> $2 AND f.level IN ('site', 'device') AND f.ended_at IS NULL`;
    return (await tx.one<{ count: number }>(sql, [orgId, targetId]))?.count ?? 0;
  }

  async insert(tx: Tx, caller: UserCaller, place: Place, freeze: NewFreeze): Promise<void> {
    const { id, level, targetId, mode, reason, expiresAt, revokeOpen } = freeze;
    const what = [level, targetId, mode, reason];
    const parameters = [id, place.partnerId, place.orgId, ...what, caller.userId, caller.name, expiresAt, revokeOpen];
    await tx.query(INSERT, parameters);
  }

  /** Notes when the freeze began. Under the locks of the rulebooks every window that is open is older. */
  async begin(tx: Tx, id: string): Promise<FreezeRow> {
    const [row] = await tx.query<FreezeRow>(BEGIN, [id]);
    return row!;
  }

  /** Null when it is over. */
  lift(tx: Tx, { userId, name }: UserCaller, id: string, reason: string): Promise<FreezeRow | null> {
    return tx.one<FreezeRow>(LIFT, [id, userId, name, reason]);
  }

  /** Ends one freeze whose time is over; null when there is none. */
  expireOne(tx: Tx): Promise<FreezeRow | null> {
    return tx.one<FreezeRow>(EXPIRE_ONE);
  }
}
