/** SQL: whether the live membership `c` reaches the whole owner of the provider `p`. */
export const ADMINISTERS_OWNER = `(c.level = 'system' OR c.partner_id = p.partner_id AND CASE c.level
             WHEN 'partner' THEN c.org_access = 'all' OR (c.org_access = 'selected' AND p.org_id = ANY (c.org_ids))
             ELSE c.org_id = p.org_id AND c.site_ids = '{}' END)`;
