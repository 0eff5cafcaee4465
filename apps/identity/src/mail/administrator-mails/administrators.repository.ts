import type { Reader } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

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
