import type { AgentCaller } from '@gatehouse/contracts-core';
import type { EffectiveConfigurationResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { effectiveConfiguration } from '../configuration-policies/effective/effective-configuration.repository.ts';
import { requireOwnDevice } from './agent-caller.ts';

@Injectable()
export class GetAgentConfiguration {
  constructor(private readonly work: UnitOfWork) {}

  /** @throws ProblemError device_mismatch */
  async execute(caller: AgentCaller, deviceId: string): Promise<EffectiveConfigurationResponse> {
    requireOwnDevice(caller, deviceId);
    return this.work.read(caller, (reader) => effectiveConfiguration(reader, deviceId));
  }
}
