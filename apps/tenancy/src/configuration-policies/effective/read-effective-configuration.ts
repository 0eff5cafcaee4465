import type { AgentCaller, UserCaller } from '@gatehouse/contracts-core';
import type { EffectiveConfigurationResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { deviceInReach, deviceNotFound } from '../../devices/device.view.ts';
import { effectiveConfiguration } from './effective-configuration.ts';

@Injectable()
export class ReadEffectiveConfiguration {
  constructor(private readonly work: UnitOfWork) {}

  /** @throws ProblemError device_not_found */
  forUser(caller: UserCaller, deviceId: string): Promise<EffectiveConfigurationResponse> {
    const { where, parameters } = deviceInReach(caller, deviceId);
    return this.work.read(caller, async (reader) => {
      if (!(await reader.one(`SELECT d.id FROM devices d ${where}`, parameters))) throw deviceNotFound();
      return effectiveConfiguration(reader, deviceId);
    });
  }

  forAgent(caller: AgentCaller): Promise<EffectiveConfigurationResponse> {
    return this.work.read(caller, (reader) => effectiveConfiguration(reader, caller.deviceId));
  }
}
