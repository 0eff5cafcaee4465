import { AgentRoute, CurrentCaller } from '@gatehouse/auth';
import { OfflineRulesResponse } from '@gatehouse/contracts-pam';
import { ApiProblems, IgnoresUnknown, perDevice, RateLimit } from '@gatehouse/service';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import type { DeviceCaller } from '../agents/agent-devices.ts';
import { GetOfflineRules } from './get-offline-rules.ts';

@ApiTags('Agents')
@Controller('agents/:id/rules')
export class OfflineRulesController {
  constructor(private readonly getOfflineRules: GetOfflineRules) {}

  /**
   * Reads the rules that the agent applies while it is offline, as a signed document for this device that expires
   * after 24 hours. It denies or asks; it never grants.
   */
  @Get()
  @IgnoresUnknown('agents')
  @AgentRoute()
  @RateLimit('agentRules', perDevice)
  @ApiParam({ name: 'id', format: 'uuid', description: 'The device.' })
  @ApiOkResponse({ type: OfflineRulesResponse })
  @ApiProblems(
    'device_mismatch',
    'device_inactive',
    'device_awaiting_confirmation',
    'partner_inactive',
    'organization_archived',
    'organization_frozen',
    'unavailable',
  )
  getRules(@CurrentCaller() caller: DeviceCaller): Promise<OfflineRulesResponse> {
    return this.getOfflineRules.get(caller);
  }
}
