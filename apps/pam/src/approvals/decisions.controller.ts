import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  RequestStatusResponse,
  RespondDto,
  RespondedResponse,
  RevokeDto,
  TakenRequestResponse,
} from '@gatehouse/contracts-pam';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, HttpCode, HttpStatus, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { DecisionsService } from './decisions.service.ts';

@ApiTags('Elevation requests')
@Controller('pam/elevation-requests')
export class DecisionsController {
  constructor(private readonly decisions: DecisionsService) {}

  /**
   * Approves or denies a pending request. Where several people have to approve, it stays pending until the last of
   * them; the first denial ends it.
   */
  @Post(':id/respond')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:execute', {
    mfa: true,
    audit: { decision: { approve: 'pam.elevation_request.approve', deny: 'pam.elevation_request.deny' } },
  })
  @ApiOkResponse({ type: RespondedResponse })
  @ApiProblems(
    'site_access_denied',
    'self_approval_denied',
    'separation_of_duties',
    'already_voted',
    'elevation_request_not_found',
    'not_pending',
    'tool_execution_timed_out',
    'pam_frozen',
    'organization_frozen',
    'conflict',
    'organization_not_found',
    'ticket_required',
    'ticket_invalid',
  )
  respond(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() body: RespondDto,
  ): Promise<RespondedResponse> {
    return this.decisions.respondToRequest(caller, id, body);
  }

  /**
   * Tells colleagues that you look at a pending request. It gives no right and bars no other person, takes the place of
   * a colleague who did, and ends after ten minutes or with the decision.
   */
  @Post(':id/take')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:execute', { audit: 'pam.elevation_request.take' })
  @ApiOkResponse({ type: TakenRequestResponse })
  @ApiProblems('site_access_denied', 'elevation_request_not_found', 'not_pending', 'tool_execution_timed_out')
  take(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<TakenRequestResponse> {
    return this.decisions.take(caller, id);
  }

  /** Ends what `take` told colleagues. What a colleague has taken stays so. */
  @Post(':id/release')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:execute', { audit: 'pam.elevation_request.release' })
  @ApiOkResponse({ type: TakenRequestResponse })
  @ApiProblems('site_access_denied', 'elevation_request_not_found', 'not_pending', 'tool_execution_timed_out')
  release(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<TakenRequestResponse> {
    return this.decisions.release(caller, id);
  }

  /** Ends an elevation before its time. The device is told to withdraw it. */
  @Post(':id/revoke')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:execute', { mfa: true, audit: 'pam.elevation_request.revoke' })
  @ApiOkResponse({ type: RequestStatusResponse })
  @ApiProblems('site_access_denied', 'elevation_request_not_found', 'not_active')
  revoke(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() { reason }: RevokeDto,
  ): Promise<RequestStatusResponse> {
    return this.decisions.revokeElevation(caller, id, reason);
  }
}
