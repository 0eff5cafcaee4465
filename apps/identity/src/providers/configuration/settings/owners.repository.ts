import type { Reader } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { RoleFacts } from '@gatehouse/identity-domain';

const PARTNER_OF = 'SELECT partner_id FROM org_ref WHERE org_id = $1 AND NOT deleted';

/** Reads the organisations that can own a provider or a domain. */
@Injectable()
export class OwnersRepository {
  /** @param orgId within the caller's reach @returns null for an organisation that does not exist (any more) */
  async partnerOf(reader: Reader, orgId: string): Promise<string | null> {
    return (await reader.one<{ partnerId: string }>(PARTNER_OF, [orgId]))?.partnerId ?? null;
  }
}

const ROLE = 'SELECT axis, partner_id, org_id, system, permissions FROM roles WHERE id = $1';

/** Reads the roles that a provider may give to new users. */
@Injectable()
export class DefaultRolesRepository {
  find(reader: Reader, roleId: string): Promise<RoleFacts | null> {
    return reader.one<RoleFacts>(ROLE, [roleId]);
  }
}
