import type { UserCaller } from '@gatehouse/contracts-core';
import type { EffectiveConfigurationResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { DevicesRepository } from '../../devices/devices.repository.ts';
import { effectiveConfiguration } from './effective-configuration.repository.ts';

@Injectable()
export class ConfigurationPolicyEffectiveService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly devicesRepository: DevicesRepository,
  ) {}

  getEffectiveConfiguration(caller: UserCaller, deviceId: string): Promise<EffectiveConfigurationResponse> {
    return this.work.read(caller, async (reader) => {
      await this.devicesRepository.requireReadable(reader, caller, deviceId);
      return effectiveConfiguration(reader, deviceId);
    });
  }
}
