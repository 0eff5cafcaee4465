import type { Reader } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

const PARTNER_OF = 'SELECT partner_id FROM org_ref WHERE org_id = $1 AND NOT deleted';

/** Reads the organisations that can own a provider or a domain. */
@Injectable()
export class OwnersRepository {
  /** @param orgId within the caller's reach @returns null for an organisation that does not exist (any more) */
  async partnerOf(reader: Reader, orgId: string): Promise<string | null> {
    return (await reader.one<{ partnerId: string }>(PARTNER_OF, [orgId]))?.partnerId ?? null;
  }
}
