import { ProblemError, seesSite, type UserCaller } from '@gatehouse/contracts-core';
import type { Device } from './devices.repository.ts';

export function requireUsable(caller: UserCaller, device: Device | null): Device {
  if (!device) throw new ProblemError('device_not_found', 'There is no such device.');
  if (!seesSite(caller.scope, device.siteId))
    throw new ProblemError('site_access_denied', 'You have no access to the site of this device.').at(device);
  if (device.status === 'decommissioned')
    throw new ProblemError('device_decommissioned', 'This device is decommissioned.');
  return device;
}
