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

const PENDING_PROBLEMS = [
  'site_access_denied',
  'elevation_request_not_found',
  'not_pending',
  'tool_execution_timed_out',
  'organization_frozen',
] as const;

@ApiTags('Elevation requests')
@Controller('pam/elevation-requests')
export class DecisionsController {
  constructor(private readonly decisions: DecisionsService) {}

  /**
   * Approves or denies a pending request. If it requires several approvals, it stays pending until the last one; the
   * first denial ends it.
   */
  @Post(':id/respond')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:execute', {
    mfa: true,
    audit: { decision: { approve: 'pam.elevation_request.approve', deny: 'pam.elevation_request.deny' } },
  })
  @ApiOkResponse({ type: RespondedResponse })
  @ApiProblems(
    ...PENDING_PROBLEMS,
    'self_approval_denied',
    'separation_of_duties',
    'already_voted',
    'pam_frozen',
    'conflict',
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
   * Shows colleagues that you are reviewing a pending request. It gives no rights and blocks no one, replaces a
   * colleague's notice, and ends after ten minutes or with the decision.
   */
  @Post(':id/take')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:execute', { sessionOnly: true, audit: 'pam.elevation_request.take' })
  @ApiOkResponse({ type: TakenRequestResponse })
  @ApiProblems(...PENDING_PROBLEMS)
  take(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<TakenRequestResponse> {
    return this.decisions.take(caller, id);
  }

  /** Ends the notice of `take`. A colleague's notice does not change. */
  @Post(':id/release')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:execute', { sessionOnly: true, audit: 'pam.elevation_request.release' })
  @ApiOkResponse({ type: TakenRequestResponse })
  @ApiProblems(...PENDING_PROBLEMS)
  release(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<TakenRequestResponse> {
    return this.decisions.release(caller, id);
  }

  /** Revokes an active elevation. The device is notified to end it. */
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
