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
