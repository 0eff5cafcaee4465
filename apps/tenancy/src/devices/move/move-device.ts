import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { MoveConsequencesRecord, MovedDeviceResponse, MoveDeviceDto } from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireWritable } from '../../scope/organizations-in-reach.repository.ts';
import { DeviceCountsRepository } from '../counts/device-counts.repository.ts';
import { requireBelowCaps } from '../counts/device-caps.ts';
import { deviceView, recordChange } from '../device-returns.service.ts';
import { DeviceMovesRepository, type DeviceRow, DevicesRepository } from '../devices.repository.ts';

type Place = Required<MoveDeviceDto>;

const NO_CONSEQUENCES: MoveConsequencesRecord = {
  organizationChanged: false,
  groupsLeft: [],
  customFieldValuesDropped: 0,
  policyAssignmentsDropped: 0,
};

@Injectable()
export class MoveDevice {
  constructor(
    private readonly work: UnitOfWork,
    private readonly devicesRepository: DevicesRepository,
    private readonly deviceCountsRepository: DeviceCountsRepository,
    private readonly deviceMovesRepository: DeviceMovesRepository,
  ) {}

  /**
   * Moves a device to another site, or to another organisation of the same partner. The answer lists the assignments
   * that the device lost.
   */
  move(caller: UserCaller, id: string, { orgId, siteId }: MoveDeviceDto): Promise<MovedDeviceResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const current = await this.devicesRepository.lockInService(tx, caller, id);
      const target = { orgId: orgId ?? current.orgId, siteId };
      await this.requireTarget(tx, caller, current, target);
      const consequences =
        target.orgId === current.orgId
          ? NO_CONSEQUENCES
          : await this.deviceMovesRepository.leaveOrganization(tx, id, target.orgId);
      const device = await this.devicesRepository.move(tx, id, target);
      const from = { orgId: current.orgId, siteId: current.siteId };
      recordChange(tx, 'device.move', { before: current, after: device }, { from, to: target, ...consequences });
      return { ...deviceView(device), consequences };
    });
  }

  private async requireTarget(tx: Tx, caller: UserCaller, current: DeviceRow, target: Place): Promise<void> {
    if (target.orgId !== current.orgId) {
      const { partnerId } = await requireWritable(tx, caller, target.orgId);
      if (partnerId !== current.partnerId)
        throw new ProblemError('target_not_found', 'A device cannot move to another partner.');
      await requireBelowCaps(this.deviceCountsRepository, tx, { partnerId, orgId: target.orgId }, 'same-partner');
    }
    if (!(await this.deviceMovesRepository.lockSite(tx, caller, target)))
      throw new ProblemError('site_not_in_org', 'The site does not belong to this organisation.');
  }
}
