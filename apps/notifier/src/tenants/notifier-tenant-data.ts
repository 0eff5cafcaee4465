import type { TenantRegistry } from '@gatehouse/tenant-data';

/** What a merge or purge of an organisation does with the notifier's tables: people keep their subscriptions at the survivor. */
export const notifierTenantData: TenantRegistry = {
  service: 'notifier',
  tables: [
    { table: 'push_subscriptions', policy: 'move' },
    { table: 'push_deliveries', policy: 'move' },
  ],
};
