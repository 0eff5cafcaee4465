import type { UserCaller } from '@gatehouse/contracts-core';
import type { IssuedAgentTokenResponse } from '@gatehouse/contracts-tenancy';
import { randomToken, sha256Hex } from '@gatehouse/crypto';
import { shownOnce, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { DevicesRepository } from './devices.repository.ts';
import { recordChange } from './record-change.ts';

@Injectable()
export class RotateAgentToken {
  constructor(
    private readonly work: UnitOfWork,
    private readonly devicesRepository: DevicesRepository,
  ) {}

  /**
   * The old token stops working at once.
   * @throws ProblemError device_not_found, device_inactive, organization_frozen
   */
  execute(caller: UserCaller, id: string): Promise<IssuedAgentTokenResponse> {
    const agentToken = `gha_${randomToken()}`;
    return this.work.once(
      caller,
      caller.idempotency,
      async (tx) => {
        await this.devicesRepository.lockInService(tx, caller, id);
        const changes = { agentTokenHash: sha256Hex(agentToken), previousTokenHash: null, previousTokenUntil: null };
        const device = await this.devicesRepository.update(tx, caller, id, changes);
        recordChange(tx, 'device.agent_token.rotate', device);
        return { deviceId: device.id, agentToken };
      },
      shownOnce(() => id),
    );
  }
}
