import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { RequestedElevationResponse, RequestElevationDto } from '@gatehouse/contracts-pam';
import { ticketOf } from '@gatehouse/pam-domain';
import { ApiProblems } from '@gatehouse/service';
import { Body, Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiTags } from '@nestjs/swagger';
import { SUBMISSION_PROBLEMS, SubmitRequest } from './submit-request.ts';

@ApiTags('Elevation requests')
@Controller('pam/elevation-requests')
export class SubmissionController {
  constructor(private readonly submitRequest: SubmitRequest) {}

  /**
   * Requests elevated rights on a device for the caller, for a limited time. The organisation's rules decide, or the
   * request waits for another technician: requesters cannot approve their own requests.
   */
  @Post()
  @Requires('devices:execute', { audit: 'pam.elevation_request.submit' })
  @ApiCreatedResponse({ type: RequestedElevationResponse })
  @ApiProblems(...SUBMISSION_PROBLEMS)
  async request(
    @CurrentCaller() caller: UserCaller,
    @Body() { deviceId, reason, durationMinutes, ticket }: RequestElevationDto,
  ): Promise<RequestedElevationResponse> {
    const submitted = await this.submitRequest.submitRequest(caller, deviceId, {
      flowType: 'tech_jit_admin',
      reason: reason.trim(),
      ticket: ticketOf(ticket),
      durationMinutes: durationMinutes ?? null,
      tool: null,
    });
    const { id, status } = submitted;
    return { success: true, id, status, ticket: submitted.ticket };
  }
}
