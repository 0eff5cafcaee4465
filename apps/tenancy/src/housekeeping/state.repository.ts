import type { Tx } from '@gatehouse/database';
import {
  DEVICE_STATE,
  GROUP_STATE,
  publishDevice,
  type PublishedDevice,
  type PublishedGroup,
  type PublishedOrganization,
  type PublishedPartner,
  type PublishedSite,
  publishGroup,
  publishOrganization,
  publishPartner,
  publishSite,
} from '../scope/publish-state.ts';

const BATCH = 1000;

const after = (columns: string, table: string, id = 'id'): string =>
  `SELECT ${columns} FROM ${table} WHERE ${id} > $1 ORDER BY ${id} LIMIT ${BATCH} FOR SHARE`;

const PARTNERS = after('id, name, slug, status, deleted_at, version', 'partners');
const ORGANIZATIONS = after('id, partner_id, name, status, deleted_at, merged_into_id, version', 'organizations');
const SITES = after('id, partner_id, org_id, name, version', 'sites');
const GROUPS = after(GROUP_STATE, 'device_groups');
const DEVICES = after(DEVICE_STATE, 'devices d', 'd.id');

/** Publishes the rows of the next batch and returns them. */
export type PublishBatch = (tx: Tx, afterId: string) => Promise<readonly { readonly id: string }[]>;

const publishing =
  <T extends { readonly id: string }>(sql: string, publish: (tx: Tx, row: T) => void): PublishBatch =>
  async (tx, afterId) => {
    const rows = await tx.query<T>(sql, [afterId]);
    for (const row of rows) publish(tx, row);
    return rows;
  };

/** Parents come before children, so that a read model already holds the parent that a child refers to. */
export const STATE_IN_ORDER: Readonly<Record<string, PublishBatch>> = {
  partners: publishing<PublishedPartner>(PARTNERS, publishPartner),
  organizations: publishing<PublishedOrganization>(ORGANIZATIONS, publishOrganization),
  sites: publishing<PublishedSite>(SITES, publishSite),
  deviceGroups: publishing<PublishedGroup>(GROUPS, publishGroup),
  devices: publishing<PublishedDevice>(DEVICES, publishDevice),
};
