import type { TenantScope } from '@gatehouse/contracts-core';
import { type Conditions, type Reader, scoped } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

const IN_NO_LIST = `NOT o.deleted AND o.status IN ('archived', 'purging')`;
const GONE = `o.deleted OR o.status IN ('archived', 'purging')`;

const isSystem = ({ partner }: TenantScope): boolean => partner === 'all';

/**
 * SQL condition for reading or deleting one resource by its id. Resources of an archived organisation stay accessible;
 * those of a deleted one only to system callers, as in tenancy.
 */
export const ofReadable = (scope: TenantScope, orgColumn: string): string =>
  isSystem(scope) ? 'TRUE' : `NOT EXISTS (SELECT FROM org_ref gone WHERE gone.org_id = ${orgColumn} AND gone.deleted)`;

/** Excludes rows of these organisations from a list; rows of a whole partner stay. */
export const outside = (where: Conditions, orgColumn: string, hidden: readonly string[]): Conditions =>
  hidden.length === 0 ? where : where.add(`(${orgColumn} IS NULL OR ${orgColumn} <> ALL (?::uuid[]))`, hidden);

/**
 * The organisations in reach that lists exclude: archived and purging ones, and deleted ones for all but system
 * callers.
 */
@Injectable()
export class HiddenOrganizationsRepository {
  async ids(reader: Reader, scope: TenantScope): Promise<string[]> {
    const where = scoped(scope, { partner: 'o.partner_id', org: 'o.org_id' }).raw(
      `(${isSystem(scope) ? IN_NO_LIST : GONE})`,
    );
    const rows = await reader.query<{ orgId: string }>(
      `SELECT o.org_id FROM org_ref o ${where.where} ORDER BY o.org_id`,
      where.parameters,
    );
    return rows.map(({ orgId }) => orgId);
  }
}
