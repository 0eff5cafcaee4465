import type { Reader } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

const NAME = `
  SELECT coalesce((SELECT name FROM org_ref WHERE org_id = $2::uuid),
                  (SELECT name FROM partner_ref WHERE partner_id = $1::uuid AND $2::uuid IS NULL)) AS name`;

/** Reads the names of tenants that a mail is about. */
@Injectable()
export class TenantNamesRepository {
  /** @returns null for the whole system, and for a tenant that the caller cannot see */
  async find(
    reader: Reader,
    { partnerId, orgId }: { readonly partnerId: string | null; readonly orgId: string | null },
  ): Promise<string | null> {
    return (await reader.one<{ name: string | null }>(NAME, [partnerId, orgId]))?.name ?? null;
  }
}

const ADDRESS = `
  SELECT m.email FROM live_memberships m JOIN users u ON u.id = m.user_id AND u.status = 'active'
   WHERE m.user_id = $1 AND (m.partner_id = $2 OR m.level = 'system') LIMIT 1`;

@Injectable()
export class AddressesRepository {
  /** The address of an active user with a membership at the partner; null for all others. */
  async of(reader: Reader, userId: string, partnerId: string): Promise<string | null> {
    return (await reader.one<{ email: string }>(ADDRESS, [userId, partnerId]))?.email ?? null;
  }
}

/** The most administrators of one owner who get a mail; the others learn of it by the live event. */
export const MAX_ADDRESSEES = 20;

/** The owner's own administrators come before those of its partner. */
const ADDRESSES = `
  SELECT m.email FROM live_memberships m JOIN users u ON u.id = m.user_id AND u.status = 'active'
   WHERE m.partner_id = $1 AND m.permissions && '{organizations:write,*}'
     AND CASE m.level WHEN 'organization' THEN m.org_id = $2::uuid AND m.site_ids = '{}'
                      WHEN 'partner' THEN m.org_access = 'all'
                        OR (m.org_access = 'selected' AND coalesce($2::uuid = ANY (m.org_ids), false)) END
   GROUP BY m.user_id, m.email ORDER BY min(m.level), m.user_id LIMIT ${MAX_ADDRESSEES}`;

/** The administrators of an owner: active users whose membership reaches it with `organizations:write`. */
@Injectable()
export class AdministratorsRepository {
  async addresses(
    reader: Reader,
    { partnerId, orgId }: { readonly partnerId: string; readonly orgId: string | null },
  ): Promise<string[]> {
    const rows = await reader.query<{ email: string }>(ADDRESSES, [partnerId, orgId]);
    return rows.map(({ email }) => email);
  }
}
