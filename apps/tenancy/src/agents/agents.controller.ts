import type { AgentCaller, AnonymousCaller } from '@gatehouse/contracts-core';
import { EffectiveConfigurationResponse, EnrollAgentDto, EnrolledAgentResponse } from '@gatehouse/contracts-tenancy';
import { AgentRoute, CurrentCaller, Public } from '@gatehouse/auth';
import { ApiProblems, IgnoresUnknown, perClient, RateLimit, UuidParam } from '@gatehouse/service';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { EnrollAgent } from './enroll-agent.ts';
import { GetAgentConfiguration } from './get-agent-configuration.ts';

/** Routes that agents call. */
@Controller('agents')
@ApiTags('agents')
export class AgentsController {
  constructor(
    private readonly enrollAgent: EnrollAgent,
    private readonly getAgentConfiguration: GetAgentConfiguration,
  ) {}

  /** Enrols a device. The answer has the token with which the agent calls from now on; it is shown this once. */
  @Post('enroll')
  @IgnoresUnknown('agents')
  @Public()
  @RateLimit('enrolByClient', perClient)
  @ApiCreatedResponse({ type: EnrolledAgentResponse })
  @ApiProblems(
    'enrollment_key_invalid',
    'enrollment_key_expired',
    'enrollment_key_exhausted',
    'partner_inactive',
    'organization_frozen',
    'device_limit_reached',
  )
  enroll(@CurrentCaller() caller: AnonymousCaller, @Body() draft: EnrollAgentDto): Promise<EnrolledAgentResponse> {
    return this.enrollAgent.execute(caller, draft);
  }

  /** Reads the settings in effect for the agent's own device. */
  @Get(':id/config')
  @IgnoresUnknown('agents')
  @AgentRoute()
  @ApiOkResponse({ type: EffectiveConfigurationResponse })
  @ApiProblems('device_mismatch', 'device_inactive', 'organization_archived', 'partner_inactive')
  config(
    @CurrentCaller() caller: AgentCaller,
    @Param('id', UuidParam) id: string,
  ): Promise<EffectiveConfigurationResponse> {
    return this.getAgentConfiguration.execute(caller, id);
  }
}
