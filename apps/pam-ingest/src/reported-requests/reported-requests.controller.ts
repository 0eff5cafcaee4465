import { AgentRoute, CurrentCaller } from '@gatehouse/auth';
import { JustifiedRequestResponse, JustifyRequestDto, ReportedRequestResponse } from '@gatehouse/contracts-pam';
import { ApiProblems, IgnoresUnknown, perDevice, RateLimit, UuidParam } from '@gatehouse/service';
import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import type { DeviceCaller } from '../agents/agent-devices.ts';
import { JustifyRequestService, ReportedRequestsService } from './reported-requests.service.ts';

@ApiTags('Agents')
@Controller('agents/:id/elevation-requests')
export class ReportedRequestsController {
  constructor(private readonly reportedRequests: ReportedRequestsService) {}

  /** Reads the outcome of a request that the agent has reported. */
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

@ApiTags('Agents')
@Controller('agents/:id/elevation-requests')
export class JustifyRequestController {
  constructor(private readonly justifyRequest: JustifyRequestService) {}

  /**
   * Adds the reason, and optionally the ticket, to a pending request that the agent has reported. Nothing is decided
   * again; the approvers see it.
   */
  @Post(':requestId/justification')
  @HttpCode(HttpStatus.OK)
  @IgnoresUnknown('agents')
  @AgentRoute()
  @RateLimit('agentReport', perDevice)
  @ApiParam({ name: 'id', format: 'uuid', description: 'The device.' })
  @ApiOkResponse({ type: JustifiedRequestResponse })
  @ApiProblems(
    'device_mismatch',
    'device_inactive',
    'device_awaiting_confirmation',
    'partner_inactive',
    'organization_archived',
    'organization_frozen',
    'elevation_request_not_found',
    'not_pending',
  )
  justify(
    @CurrentCaller() caller: DeviceCaller,
    @Param('requestId', UuidParam) requestId: string,
    @Body() body: JustifyRequestDto,
  ): Promise<JustifiedRequestResponse> {
    return this.justifyRequest.justify(caller, requestId, body);
  }
}
