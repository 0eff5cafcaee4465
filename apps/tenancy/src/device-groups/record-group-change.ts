import type { PlainAction } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { type PublishedGroup, publishGroup } from '../rows/publish-state.ts';

/** Audits the change of a group and publishes the group's new state. */
export function recordGroupChange(
  tx: Tx,
  action: PlainAction,
  group: PublishedGroup,
  details: Readonly<Record<string, unknown>>,
): void {
  const { id, partnerId, orgId, name } = group;
  publishGroup(tx, group);
  tx.audit({ action, partnerId, orgId, resource: { type: 'device_group', id, name }, details });
}
