import { type AgentCaller, ProblemError } from '@gatehouse/contracts-core';
import type { EffectiveConfigurationResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { effectiveConfiguration } from '../configuration-policies/effective/effective-configuration.repository.ts';

@Injectable()
export class GetAgentConfiguration {
  constructor(private readonly work: UnitOfWork) {}

  /** @throws ProblemError device_mismatch */
  async execute(caller: AgentCaller, deviceId: string): Promise<EffectiveConfigurationResponse> {
    if (deviceId !== caller.deviceId)
      throw new ProblemError('device_mismatch', 'This token belongs to another device.');
    return this.work.read(caller, (reader) => effectiveConfiguration(reader, deviceId));
  }
}
