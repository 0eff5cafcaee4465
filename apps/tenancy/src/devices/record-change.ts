import type { PlainAction } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { publishDevice } from '../rows/publish-state.ts';
import type { DeviceRow } from './devices.repository.ts';

/** Audits the change of a device and publishes the device's new state. */
export function recordChange(
  tx: Tx,
  action: PlainAction,
  device: DeviceRow,
  details?: Readonly<Record<string, unknown>>,
): void {
  const { id, partnerId, orgId, siteId, hostname } = device;
  tx.audit({ action, partnerId, orgId, siteId, resource: { type: 'device', id, name: hostname }, details });
  publishDevice(tx, device);
}
