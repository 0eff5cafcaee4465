import type { UserCaller } from '@gatehouse/contracts-core';
import { EffectiveConfigurationResponse } from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ConfigurationPolicyEffectiveService } from './configuration-policy-effective.service.ts';

@Controller('devices/:id/effective-configuration')
@ApiTags('devices')
export class EffectiveConfigurationController {
  constructor(private readonly configurationPolicyEffective: ConfigurationPolicyEffectiveService) {}

  /** Reads the settings in effect for a device, each with the policy that decided it. */
  @Get()
  @Requires('devices:read')
  @ApiOkResponse({ type: EffectiveConfigurationResponse })
  @ApiProblems('device_not_found')
  get(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
  ): Promise<EffectiveConfigurationResponse> {
    return this.configurationPolicyEffective.getEffectiveConfiguration(caller, id);
  }
}
