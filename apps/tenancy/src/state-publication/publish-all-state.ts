import { asService, type ServiceCaller } from '@gatehouse/contracts-core';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import {
  publishDevice,
  publishGroup,
  publishOrganization,
  publishPartner,
  publishSite,
  type PublishedDevice,
  GROUP_STATE,
  type PublishedGroup,
  DEVICE_STATE,
} from '../rows/publish-state.ts';

const BATCH = 1000;
const FIRST = '00000000-0000-0000-0000-000000000000';

interface Kind {
  readonly name: string;
  readonly sql: string;
  readonly publish: (tx: Tx, row: { readonly id: string }) => void;
}

const after = (columns: string, table: string, id: string): string =>
  `SELECT ${columns} FROM ${table} WHERE ${id} > $1 ORDER BY ${id} LIMIT ${BATCH} FOR SHARE`;

/** Parents come before children, so that a read model already holds the parent that a child refers to. */
const KINDS: readonly Kind[] = [
  {
    name: 'partners',
    sql: after('id, name, slug, status, deleted_at, version', 'partners', 'id'),
    publish: publishPartner as Kind['publish'],
  },
  {
    name: 'organizations',
    sql: after('id, partner_id, name, status, deleted_at, merged_into_id, version', 'organizations', 'id'),
    publish: publishOrganization as Kind['publish'],
  },
  {
    name: 'sites',
    sql: after('id, partner_id, org_id, name, version', 'sites', 'id'),
    publish: (tx, row) => publishSite(tx, row as Parameters<typeof publishSite>[1]),
  },
  {
    name: 'deviceGroups',
    sql: after(GROUP_STATE, 'device_groups', 'id'),
    publish: (tx, row) => publishGroup(tx, row as PublishedGroup),
  },
  {
    name: 'devices',
    sql: after(DEVICE_STATE, 'devices d', 'd.id'),
    publish: (tx, row) => publishDevice(tx, row as PublishedDevice),
  },
];

/**
 * Rebuilds the read models of other services: publishes the state of every row again under its present version, in
 * transactions of a thousand rows.
 */
@Injectable()
export class PublishAllState {
  constructor(private readonly work: UnitOfWork) {}

  async execute(caller: ServiceCaller): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const kind of KINDS) counts[kind.name] = await this.publishAll(asService('tenancy', caller.origin), kind);
    return counts;
  }

  private async publishAll(caller: ServiceCaller, { sql, publish }: Kind): Promise<number> {
    let count = 0;
    for (let last: string | undefined = FIRST; last !== undefined;) {
      const rows = await this.work.run(caller, async (tx) => {
        const batch = await tx.query<{ id: string }>(sql, [last]);
        for (const row of batch) publish(tx, row);
        return batch;
      });
      count += rows.length;
      last = rows.at(-1)?.id;
    }
    return count;
  }
}
