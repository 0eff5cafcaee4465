import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  ActiveElevationsResponse,
  ElevationRequestsResponse,
  ListActiveElevationsQuery,
  ListElevationRequestsQuery,
  RequestElevationDto,
  RequestStatusResponse,
  RespondDto,
  RevokeDto,
} from '@gatehouse/contracts-pam';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { SubmitRequest } from '../submission/submit-request.ts';
import { ListElevationRequests } from './list-elevation-requests.ts';
import { RespondToRequest } from '../decisions/respond-to-request.ts';
import { RevokeElevation } from '../decisions/revoke-elevation.ts';

@ApiTags('Elevation requests')
@Controller('pam')
export class ElevationRequestsController {
  constructor(
    private readonly requests: ListElevationRequests,
    private readonly submitRequest: SubmitRequest,
    private readonly respondToRequest: RespondToRequest,
    private readonly revokeElevation: RevokeElevation,
  ) {}

  /** Lists elevation requests, newest first. */
  @Get('elevation-requests')
  @Requires('devices:read')
  @ApiOkResponse({ type: ElevationRequestsResponse })
  list(
    @CurrentCaller() caller: UserCaller,
    @Query() query: ListElevationRequestsQuery,
  ): Promise<ElevationRequestsResponse> {
    return this.requests.execute(caller, query);
  }

  /**
   * Requests elevated rights on a device for the caller, for a limited time. The organisation's rules decide, or the
   * request waits for somebody else: nobody approves their own.
   */
  @Post('elevation-requests')
  @Requires('devices:execute', { audit: 'pam.elevation_request.submit' })
  @ApiCreatedResponse({ type: RequestStatusResponse })
  @ApiProblems('device_decommissioned', 'site_access_denied', 'device_not_found', 'organization_frozen')
  async request(
    @CurrentCaller() caller: UserCaller,
    @Body() { deviceId, reason, durationMinutes }: RequestElevationDto,
  ): Promise<RequestStatusResponse> {
    const { id, status } = await this.submitRequest.execute(caller, deviceId, {
      flowType: 'tech_jit_admin',
      reason: reason.trim(),
      durationMinutes: durationMinutes ?? null,
      tool: null,
    });
    return { success: true, id, status };
  }

  /** Lists the elevations that are in force now, at most 500. */
  @Get('active')
  @Requires('devices:read')
  @ApiOkResponse({ type: ActiveElevationsResponse })
  active(
    @CurrentCaller() caller: UserCaller,
    @Query() query: ListActiveElevationsQuery,
  ): Promise<ActiveElevationsResponse> {
    return this.requests.active(caller, query);
  }

  /** Approves or denies a pending request. */
  @Post('elevation-requests/:id/respond')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:execute', {
    mfa: true,
    audit: { decision: { approve: 'pam.elevation_request.approve', deny: 'pam.elevation_request.deny' } },
  })
  @ApiOkResponse({ type: RequestStatusResponse })
  @ApiProblems(
    'site_access_denied',
    'self_approval_denied',
    'elevation_request_not_found',
    'not_pending',
    'tool_execution_timed_out',
    'organization_frozen',
    'conflict',
  )
  respond(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() body: RespondDto,
  ): Promise<RequestStatusResponse> {
    return this.respondToRequest.execute(caller, id, body);
  }

  /** Ends an elevation before its time. The device is told to withdraw it. */
  @Post('elevation-requests/:id/revoke')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:execute', { mfa: true, audit: 'pam.elevation_request.revoke' })
  @ApiOkResponse({ type: RequestStatusResponse })
  @ApiProblems('site_access_denied', 'elevation_request_not_found', 'not_active')
  revoke(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() { reason }: RevokeDto,
  ): Promise<RequestStatusResponse> {
    return this.revokeElevation.execute(caller, id, reason);
  }
}
