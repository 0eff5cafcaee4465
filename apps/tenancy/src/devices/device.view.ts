import type { DeviceResponse } from '@gatehouse/contracts-tenancy';
import type { DeviceRow } from './devices.repository.ts';

export const deviceView = (device: DeviceRow): DeviceResponse => ({
  id: device.id,
  orgId: device.orgId,
  orgName: device.orgName,
  siteId: device.siteId,
  siteName: device.siteName,
  groupIds: device.groupIds,
  hostname: device.hostname,
  displayName: device.displayName,
  osType: device.osType,
  osVersion: device.osVersion,
  agentVersion: device.agentVersion,
  serialNumber: device.serialNumber,
  status: device.status,
  returnsAs: device.returnsAs,
  lastSeenAt: device.lastSeenAt,
  decommissionedAt: device.decommissionedAt,
  createdAt: device.createdAt,
  updatedAt: device.updatedAt,
});
