import { type ElevationStatus } from '@gatehouse/contracts-pam';
import { FROZEN_STATUSES } from '@gatehouse/contracts-tenancy';
import { ACTIVE_STATUSES } from '@gatehouse/pam-domain';

/** Fragments of SQL for what a request, which is the row `r` unless a fragment takes its name, is at this moment. */

export const listed = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');
/** The statuses are literals, not parameters: only then can the planner use the partial index of open requests. */
export const IS_ACTIVE = `r.status IN (${listed(ACTIVE_STATUSES)})`;
export const IS_OVER = `r.status IN (${listed(['pending', ...ACTIVE_STATUSES] satisfies ElevationStatus[])}) AND CASE WHEN r.status = 'pending' THEN r.pending_until ELSE r.expires_at END <= now()`;

/** SQL for the current status: expired as soon as the time is over, even before the sweep has updated the row. */
export const STATUS_NOW = `CASE WHEN ${IS_OVER} THEN 'expired' ELSE r.status END`;

/** SQL condition: the device is no longer managed, so nothing may be granted to it. */
export const IS_RETIRED = `EXISTS (SELECT FROM device_ref d WHERE d.device_id = r.device_id
  AND (d.deleted OR d.status = 'decommissioned'))`;

/** SQL condition on the freeze `f`: it has been neither lifted nor reached its end. */
export const IN_FORCE = 'f.ended_at IS NULL AND (f.expires_at IS NULL OR f.expires_at > now())';

/**
 * SQL for the freezes `f` in force that cover the device of a row (PAM-150): any level counts. An organisation's freeze
 * is found by the column that a merge changes, so it covers the survivor.
 * @param row the alias of a row with partner, organisation and device
 */
export const freezesOf = (row: string): string => `
  FROM pam_freezes f LEFT JOIN device_ref fd ON fd.device_id = ${row}.device_id
   WHERE ${IN_FORCE} AND f.partner_id = ${row}.partner_id
     AND CASE f.level WHEN 'partner' THEN true WHEN 'organization' THEN f.org_id IN (${row}.org_id, fd.org_id)
                      WHEN 'site' THEN f.target_id = fd.site_id ELSE f.target_id = ${row}.device_id END`;

export const isFrozen = (row: string): string => `EXISTS (SELECT ${freezesOf(row)})`;
export const isLockedDown = (row: string): string => `EXISTS (SELECT ${freezesOf(row)} AND f.mode = 'lockdown')`;
/** SQL for the stricter mode of the freezes that cover the device of a row; null without one. */
export const freezeModeOf = (row: string): string => `(SELECT max(f.mode) ${freezesOf(row)})`;

/**
 * SQL condition: a freeze withholds the grant. A hold leaves people their decisions, but for the windows that it is
 * about to end.
 */
const IS_WITHHELD = `EXISTS (SELECT ${freezesOf('r')} AND (f.mode = 'lockdown' OR r.status = 'auto_approved'
  OR (NOT f.done AND coalesce(r.decided_at, r.requested_at) <= f.created_at)))`;
/**
 * SQL condition: the organisation gives no grants now, nor does any of a partner that is not active; a suspended one
 * gives no automatic ones.
 */
const IS_STOPPED = `(EXISTS (SELECT FROM org_ref o WHERE o.org_id = r.org_id
  AND (o.deleted OR o.status IN (${listed(FROZEN_STATUSES)})
    OR (o.status = 'suspended' AND r.status = 'auto_approved')))
  OR EXISTS (SELECT FROM partner_ref p WHERE p.partner_id = r.partner_id AND (p.deleted OR p.status <> 'active')))`;
/**
 * SQL condition: the device is in another organisation than the one that granted. `pam-ingest` may let in a device
 * before `device_ref` has it, or has its move: then the version of the request is the newer one.
 */
const HAS_LEFT = `EXISTS (SELECT FROM device_ref d WHERE d.device_id = r.device_id AND d.org_id <> r.org_id
  AND d.version > coalesce(r.device_version, 0))`;

/**
 * SQL for the status that an answer of authority states (PAM-300): to whoever acts on a grant, one that is withheld is
 * not granted, and one that the device has left behind has ended.
 */
export const AUTHORITY_NOW = `
  CASE WHEN ${IS_OVER} THEN 'expired' WHEN NOT ${IS_ACTIVE} THEN r.status
       WHEN ${IS_STOPPED} OR ${IS_WITHHELD} THEN 'pending' WHEN ${HAS_LEFT} OR ${IS_RETIRED} THEN 'revoked'
       ELSE r.status END`;

/** SQL condition: the grant stands at this moment. */
export const IS_STANDING = `${IS_ACTIVE} AND (${AUTHORITY_NOW}) IN (${listed(ACTIVE_STATUSES)})`;
