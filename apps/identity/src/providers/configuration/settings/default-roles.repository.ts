import type { Reader } from '@gatehouse/database';
import type { RoleFacts } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';

const ROLE = 'SELECT axis, partner_id, org_id, system, permissions FROM roles WHERE id = $1';

/** Reads the roles that a provider may give to new users. */
@Injectable()
export class DefaultRolesRepository {
  find(reader: Reader, roleId: string): Promise<RoleFacts | null> {
    return reader.one<RoleFacts>(ROLE, [roleId]);
  }
}
