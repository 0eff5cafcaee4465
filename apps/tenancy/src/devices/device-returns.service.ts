import { type AuthorityAction, changesOf, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { DeviceResponse } from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishDevice, requestUninstall } from '../scope/publish-state.ts';
import { type DeviceRow, DevicesRepository } from './devices.repository.ts';

/** The machine is named where another one takes the place of the device. */
type ChangedDevice = DeviceRow & { readonly machine?: string };
type DeviceAction = Extract<AuthorityAction, `device.${string}`>;
const DEVICE_FIELDS = ['status', 'orgId', 'siteId', 'groupIds', 'hostname', 'displayName', 'returnsAs', 'machine'];

/** Audits the change of a device and publishes the device's new state. */
export function recordChange(
  tx: Tx,
  action: DeviceAction,
  { before, after }: { readonly before: ChangedDevice; readonly after: ChangedDevice },
  more?: Readonly<Record<string, unknown>>,
): void {
  const { id, partnerId, orgId, siteId, hostname } = after;
  const details = { ...more, changes: changesOf(before, after, DEVICE_FIELDS) };
  tx.audit({ action, partnerId, orgId, siteId, resource: { type: 'device', id, name: hostname }, details });
  publishDevice(tx, after);
}

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

const NO_TOKENS = { agentTokenHash: null, previousTokenHash: null, previousTokenUntil: null } as const;

type Waiting = DeviceRow & { readonly returnsAs: string };
const isWaiting = (device: DeviceRow): device is Waiting =>
  device.status === 'awaiting_confirmation' && device.returnsAs !== null;

/** What administrators decide about machines that enrolled again without their token (TEN-101). */
@Injectable()
export class DeviceReturns {
  constructor(
    private readonly work: UnitOfWork,
    private readonly devicesRepository: DevicesRepository,
  ) {}

  /** The machine becomes the device that it returns as: that one gets its token, and keeps groups, values and place. */
  confirm(caller: UserCaller, id: string): Promise<DeviceResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const waiting = await this.lockWaiting(tx, caller, id);
      const returned = await this.lockReturned(tx, caller, waiting);
      const { agentTokenHash, agentProtocol, osVersion, agentVersion } = waiting;
      await this.devicesRepository.update(tx, caller, id, NO_TOKENS);
      publishDevice(tx, await this.devicesRepository.decommission(tx, caller, id));
      const device = await this.devicesRepository.update(tx, caller, returned.id, {
        ...NO_TOKENS,
        agentTokenHash,
        agentProtocol,
        osVersion: osVersion ?? returned.osVersion,
        agentVersion: agentVersion ?? returned.agentVersion,
        status: returned.status === 'offline' ? 'online' : returned.status,
      });
      const [before, after] = [
        { ...returned, machine: returned.id },
        { ...device, machine: id },
      ];
      recordChange(tx, 'device.return.confirm', { before, after }, { confirmedDeviceId: id });
      return deviceView(device);
    });
  }

  /** The machine is taken out of service; the device that it would return as stays as it is. */
  refuse(caller: UserCaller, id: string): Promise<DeviceResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const waiting = await this.lockWaiting(tx, caller, id);
      const device = await this.devicesRepository.decommission(tx, caller, id);
      recordChange(tx, 'device.return.refuse', { before: waiting, after: device }, { returnsAs: waiting.returnsAs });
      requestUninstall(tx, device);
      return deviceView(device);
    });
  }

  private async lockWaiting(tx: Tx, caller: UserCaller, id: string): Promise<Waiting> {
    const device = await this.devicesRepository.lock(tx, caller, id);
    if (!isWaiting(device)) throw new ProblemError('conflict', 'This device is not awaiting confirmation.');
    return device;
  }

  private async lockReturned(tx: Tx, caller: UserCaller, { returnsAs, orgId }: Waiting): Promise<DeviceRow> {
    const device = await this.devicesRepository.lock(tx, caller, returnsAs);
    if (device.status === 'decommissioned' || device.orgId !== orgId)
      throw new ProblemError('conflict', 'The existing device is no longer in service here; refuse the return.');
    return device;
  }
}
