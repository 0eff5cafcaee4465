import { AgentRoute, CurrentCaller } from '@gatehouse/auth';
import { ReportedRequestResponse } from '@gatehouse/contracts-pam';
import { ApiProblems, IgnoresUnknown, perDevice, RateLimit, UuidParam } from '@gatehouse/service';
import { Controller, Get, Param, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { OwnDevice } from '../agents/agent-devices.ts';
import type { DeviceCaller } from '../agents/token-authenticator.ts';
import { ReportedRequestsService } from './reported-requests.service.ts';

@ApiTags('Agents')
@Controller('agents/:id/elevation-requests')
@UseGuards(OwnDevice)
export class ReportedRequestsController {
  constructor(private readonly reportedRequests: ReportedRequestsService) {}

  /** Reads what became of a request that the agent has reported. */
  @Get(':requestId')
  @IgnoresUnknown('agents')
  @AgentRoute()
  @RateLimit('agentPoll', perDevice)
  @ApiParam({ name: 'id', format: 'uuid', description: 'The device.' })
  @ApiOkResponse({ type: ReportedRequestResponse })
  @ApiProblems('device_mismatch', 'device_inactive', 'device_awaiting_confirmation', 'elevation_request_not_found')
  getReport(
    @CurrentCaller() caller: DeviceCaller,
    @Param('requestId', UuidParam) requestId: string,
  ): Promise<ReportedRequestResponse> {
    return this.reportedRequests.get(caller, requestId);
  }
}
