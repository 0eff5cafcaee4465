import { asService, type ServiceCaller } from '@gatehouse/contracts-core';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { DEVICE_STATE } from '../devices/device.view.ts';
import {
  announceDevice,
  announceGroup,
  announceOrganization,
  announcePartner,
  announceSite,
  type DeviceRow,
  GROUP_STATE,
  type GroupRow,
} from '../rows/announce.ts';

const BATCH = 1000;
const FIRST = '00000000-0000-0000-0000-000000000000';

interface Kind {
  readonly name: string;
  readonly sql: string;
  readonly announce: (tx: Tx, row: { readonly id: string }) => void;
}

const after = (columns: string, table: string, id: string): string =>
  `SELECT ${columns} FROM ${table} WHERE ${id} > $1 ORDER BY ${id} LIMIT ${BATCH} FOR SHARE`;

/** Parents come before children, so that a read model already holds the parent that a child refers to. */
const KINDS: readonly Kind[] = [
  {
    name: 'partners',
    sql: after('id, name, slug, status, deleted_at, version', 'partners', 'id'),
    announce: announcePartner as Kind['announce'],
  },
  {
    name: 'organizations',
    sql: after('id, partner_id, name, status, deleted_at, merged_into_id, version', 'organizations', 'id'),
    announce: announceOrganization as Kind['announce'],
  },
  {
    name: 'sites',
    sql: after('id, partner_id, org_id, name, version', 'sites', 'id'),
    announce: (tx, row) => announceSite(tx, row as Parameters<typeof announceSite>[1]),
  },
  {
    name: 'deviceGroups',
    sql: after(GROUP_STATE, 'device_groups', 'id'),
    announce: (tx, row) => announceGroup(tx, row as GroupRow),
  },
  {
    name: 'devices',
    sql: after(DEVICE_STATE, 'devices d', 'd.id'),
    announce: (tx, row) => announceDevice(tx, row as DeviceRow),
  },
];

/**
 * Rebuilds the read models of other services: publishes the state of every row again under its present version, in
 * transactions of a thousand rows.
 */
@Injectable()
export class AnnounceEverything {
  constructor(private readonly work: UnitOfWork) {}

  async execute(caller: ServiceCaller): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const kind of KINDS) counts[kind.name] = await this.announceAll(asService('tenancy', caller.origin), kind);
    return counts;
  }

  private async announceAll(caller: ServiceCaller, { sql, announce }: Kind): Promise<number> {
    let count = 0;
    for (let last: string | undefined = FIRST; last !== undefined;) {
      const rows = await this.work.run(caller, async (tx) => {
        const batch = await tx.query<{ id: string }>(sql, [last]);
        for (const row of batch) announce(tx, row);
        return batch;
      });
      count += rows.length;
      last = rows.at(-1)?.id;
    }
    return count;
  }
}
