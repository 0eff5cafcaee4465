import { type Page, ProblemError, requireUpdates, type UserCaller } from '@gatehouse/contracts-core';
import type {
  DeviceQuery,
  DeviceResponse,
  IssuedAgentTokenResponse,
  UpdateDeviceDto,
} from '@gatehouse/contracts-tenancy';
import { randomToken, sha256Hex } from '@gatehouse/crypto';
import { shownOnce, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishDevice, requestUninstall } from '../scope/publish-state.ts';
import { DeviceCountsRepository } from './counts/device-counts.repository.ts';
import { deviceView, recordChange } from './device-returns.service.ts';
import { DevicesRepository } from './devices.repository.ts';

/** Past by the clock of any server. */
const OVER = new Date(0);

@Injectable()
export class DevicesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly devicesRepository: DevicesRepository,
    private readonly deviceCountsRepository: DeviceCountsRepository,
  ) {}

  list(caller: UserCaller, query: DeviceQuery): Promise<Page<DeviceResponse>> {
    const totalOf = this.deviceCountsRepository.totalOf(caller, query);
    return this.work.read(caller, (reader) => this.devicesRepository.list(reader, caller, query, totalOf));
  }

  get(caller: UserCaller, id: string): Promise<DeviceResponse> {
    return this.work.read(caller, (reader) => this.devicesRepository.get(reader, caller, id));
  }

  async update(caller: UserCaller, id: string, patch: UpdateDeviceDto): Promise<DeviceResponse> {
    const updates = requireUpdates({ ...patch, ...(patch.displayName === '' && { displayName: null }) });
    const device = await this.work.once(caller, caller.idempotency, async (tx) => {
      const before = await this.devicesRepository.lockInService(tx, caller, id);
      if (before.status === 'awaiting_confirmation' && updates.status)
        throw new ProblemError('conflict', 'This device is awaiting confirmation of its return.');
      const updated = await this.devicesRepository.update(tx, caller, id, updates);
      recordChange(tx, 'device.update', { before, after: updated }, { changedFields: Object.keys(updates) });
      return updated;
    });
    return deviceView(device);
  }

  /** Takes the device out of service for good: its agent is recognised but rejected, and it counts under no cap. */
  decommission(caller: UserCaller, id: string): Promise<DeviceResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const before = await this.devicesRepository.lockInService(tx, caller, id);
      const device = await this.devicesRepository.decommission(tx, caller, id);
      recordChange(tx, 'device.decommission', { before, after: device });
      requestUninstall(tx, device);
      return deviceView(device);
    });
  }

  /** The old token stops working at once, and its use is reported. */
  rotateAgentToken(caller: UserCaller, id: string): Promise<IssuedAgentTokenResponse> {
    const agentToken = `gha_${randomToken()}`;
    return this.work.once(
      caller,
      caller.idempotency,
      async (tx) => {
        const { agentTokenHash: previousTokenHash } = await this.devicesRepository.lockInService(tx, caller, id);
        const changes = { agentTokenHash: sha256Hex(agentToken), previousTokenHash, previousTokenUntil: OVER };
        const device = await this.devicesRepository.update(tx, caller, id, changes);
        const { partnerId, orgId, siteId, hostname: name } = device;
        const resource = { type: 'device', id, name };
        tx.audit({ action: 'device.agent_token.rotate', partnerId, orgId, siteId, resource });
        publishDevice(tx, device);
        return { deviceId: device.id, agentToken };
      },
      shownOnce(() => id),
    );
  }
}
