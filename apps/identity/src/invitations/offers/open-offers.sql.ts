/** Open: not expired, not accepted together with another invitation, and its author could still send it. */
export const OPEN_OFFER = 'm.expires_at > now() AND m.taken_at IS NULL AND is_offer_backed(m.id)';
export const MEMBERSHIP_OFFERED = `jsonb_build_object('id', m.membership_id, 'scope', m.level, 'partnerId', m.partner_id, 'orgId', m.org_id, 'roleId', m.role_id, 'roleName', r.name,
  'orgAccess', m.org_access, 'orgIds', to_jsonb(m.org_ids), 'siteIds', to_jsonb(m.site_ids))`;
/** An invitation in the columns of a user; the same whether or not the address has an account elsewhere. */
export const OFFER_AS_USER = `
  SELECT m.id, m.email, m.name, CASE WHEN m.suspended THEN 'suspended' ELSE 'invited'
    END AS status, false AS break_glass, NULL::timestamptz AS last_login_at, m.created_at, m.updated_at,
    0::bigint AS version, false AS mfa_enrolled, m.expires_at AS invitation_expires_at,
    jsonb_build_array(${MEMBERSHIP_OFFERED}) AS memberships
    FROM membership_offers m JOIN roles r ON r.id = m.role_id`;
