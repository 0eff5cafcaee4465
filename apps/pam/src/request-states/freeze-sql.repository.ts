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
