import type { TenantScope } from '@gatehouse/contracts-core';
import type { HierarchyLevel } from '@gatehouse/contracts-pam';
import { type Reader, scoped, type ScopeColumns, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

/** The place of a target in the hierarchy; null means all of that level. */
export interface Place {
  readonly partnerId: string;
  readonly orgId: string | null;
  readonly siteId: string | null;
}

export interface Target {
  readonly level: HierarchyLevel;
  readonly id: string;
}

interface Lookup {
  readonly sql: string;
  readonly columns: ScopeColumns;
}

const TENANT = { partner: 'partner_id', org: 'org_id' };

const LOOKUPS: Readonly<Record<HierarchyLevel, Lookup>> = {
  partner: {
    sql: 'SELECT partner_id, NULL AS org_id, NULL AS site_id FROM partner_ref WHERE partner_id = $1 AND NOT deleted',
    columns: { partner: 'partner_id' },
  },
  organization: {
    sql: 'SELECT partner_id, org_id, NULL AS site_id FROM org_ref WHERE org_id = $1 AND NOT deleted',
    columns: TENANT,
  },
  site: { sql: 'SELECT partner_id, org_id, site_id FROM site_ref WHERE site_id = $1 AND NOT deleted', columns: TENANT },
  group: {
    sql: 'SELECT partner_id, org_id, NULL AS site_id FROM group_ref WHERE group_id = $1 AND NOT deleted',
    columns: TENANT,
  },
  device: {
    sql: 'SELECT partner_id, org_id, site_id FROM device_ref WHERE device_id = $1 AND NOT deleted',
    columns: TENANT,
  },
};

@Injectable()
export class PolicyTargetsRepository {
  find(reader: Reader, scope: TenantScope, target: Target): Promise<Place | null> {
    return place(reader, scope, target, '');
  }

  /** Also locks the target until the transaction ends: a move of a device waits, and then sees what was stored. */
  hold(tx: Tx, scope: TenantScope, target: Target): Promise<Place | null> {
    return place(tx, scope, target, 'FOR SHARE');
  }
}

function place(reader: Reader, scope: TenantScope, { level, id }: Target, lock: string): Promise<Place | null> {
  const { sql, columns } = LOOKUPS[level];
  const within = scoped(scope, columns, [id]);
  return reader.one<Place>(`${sql} ${within.and} LIMIT 1 ${lock}`, within.parameters);
}
