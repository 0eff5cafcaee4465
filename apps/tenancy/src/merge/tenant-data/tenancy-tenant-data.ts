import { type Override, type TenantRegistry, warnOf } from '@gatehouse/tenant-data';
import { lockContacts } from '../../contacts/contacts.repository.ts';
import { LOSSES, placeInSurvivor, publishDevices, publishGroups, publishSites } from './moved-rows.repository.ts';
import {
  clearGroupsOfSurvivor,
  clearSitesOfSurvivor,
  leaveForeignGroups,
} from './separate-from-survivor.repository.ts';

/**
 * A column that moves unchanged. The survivor may give it a value that does not exist in the merged organisation, to
 * which an undone merge returns the row.
 */
const unchanged = (column: string, type: Override['type']): Record<string, Override> => ({
  [column]: { type, value: `t.${column}` },
});

/** If the survivor already has the name, the beginning of the row's id is appended. */
const unlessTaken = (table: string, column: string, separator: string): string =>
  `CASE WHEN EXISTS (SELECT FROM ${table} o WHERE o.org_id = $2 AND o.${column} = t.${column})
    THEN left(t.${column}, 80) || '${separator}' || right(t.id::text, 8) ELSE t.${column} END`;

/**
 * The rules by which a merge or purge handles tenancy's tables. Parents come before their children; a purge goes
 * through the list backwards.
 */
export const tenancyTenantData: TenantRegistry = {
  service: 'tenancy',
  remarks: warnOf(LOSSES),
  tables: [
    { table: 'partners', policy: 'keep' },
    { table: 'partner_counters', policy: 'keep' },
    { table: 'organizations', policy: 'keep' },
    { table: 'organization_runs', policy: 'keep' },
    {
      table: 'sites',
      policy: 'move',
      overrides: { is_default: { type: 'boolean', value: 'false' } },
      onMoved: publishSites,
    },
    { table: 'site_placements', key: ['site_id', 'org_id'], policy: 'follow' },
    {
      table: 'device_groups',
      policy: 'move',
      overrides: {
        name: { type: 'text', value: unlessTaken('device_groups', 'name', ' ') },
        // The levels that named it end with their approval policy; the survivor's policy has versions of its own.
        of_level: { type: 'boolean', value: 'false' },
        levels_version: { type: 'integer', value: '0' },
      },
      onMoved: publishGroups,
    },
    { table: 'device_group_placements', key: ['group_id', 'org_id'], policy: 'follow' },
    {
      table: 'devices',
      policy: 'move',
      overrides: unchanged('site_id', 'uuid'),
      onMoved: publishDevices,
      beforeBack: leaveForeignGroups,
    },
    { table: 'device_counts', key: ['partner_id', 'org_id', 'site_id', 'status'], policy: 'follow' },
    { table: 'device_count_deltas', key: ['partner_id', 'org_id', 'site_id', 'status'], policy: 'follow' },
    { table: 'device_presence', key: ['device_id'], policy: 'follow' },
    { table: 'device_group_members', key: ['group_id', 'device_id'], policy: 'follow' },
    {
      table: 'contacts',
      policy: 'move',
      conflict:
        't.external_id IS NOT NULL AND EXISTS (SELECT FROM contacts o WHERE o.org_id = $2 AND o.external_system = t.external_system AND o.external_id = t.external_id)',
      overrides: {
        ...unchanged('site_id', 'uuid'),
        ...unchanged('external_system', 'text'),
        ...unchanged('external_id', 'text'),
        is_primary: {
          type: 'boolean',
          value:
            't.is_primary AND NOT EXISTS (SELECT FROM contacts o WHERE o.org_id = $2 AND o.site_id IS NOT DISTINCT FROM t.site_id AND o.is_primary)',
        },
      },
    },
    { table: 'enrollment_keys', policy: 'move', overrides: unchanged('site_id', 'uuid') },
    { table: 'configuration_policies', policy: 'move' },
    // An assignment to the whole merged organisation must not apply to the survivor's own devices.
    { table: 'configuration_policy_assignments', policy: 'move', conflict: `t.level = 'organization'` },
    {
      table: 'custom_fields',
      policy: 'move',
      overrides: { field_key: { type: 'text', value: unlessTaken('custom_fields', 'field_key', '_') } },
    },
    { table: 'custom_field_values', key: ['device_id', 'field_id'], policy: 'follow' },
    { table: 'device_sources', key: ['org_id', 'source_system', 'source_device_id'], policy: 'follow' },
    {
      table: 'scripts',
      policy: 'move',
      overrides: { name: { type: 'text', value: unlessTaken('scripts', 'name', ' ') } },
    },
  ],
  beforeMove: async (tx, { sourceId, targetId }) => {
    await lockContacts(tx, [targetId]);
    await placeInSurvivor(tx, sourceId, targetId);
  },
  afterBack: async (tx, run) => {
    await clearGroupsOfSurvivor(tx, run);
    await clearSitesOfSurvivor(tx, run);
  },
};
