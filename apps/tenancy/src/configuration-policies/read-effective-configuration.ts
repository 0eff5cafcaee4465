import type { AgentCaller } from '@gatehouse/contracts-core';
import type { EffectiveConfigurationDto } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { effectiveConfiguration } from './effective-configuration.ts';

@Injectable()
export class ReadEffectiveConfiguration {
  constructor(private readonly work: UnitOfWork) {}

  forAgent(caller: AgentCaller): Promise<EffectiveConfigurationDto> {
    return this.work.read(caller, (reader) => effectiveConfiguration(reader, caller.deviceId));
  }
}
