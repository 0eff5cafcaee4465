import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { ActuateElevationResponse, ActuateElevationDto } from '@gatehouse/contracts-pam';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiTags } from '@nestjs/swagger';
import { ActuateElevation } from './actuate-elevation.ts';

@ApiTags('Elevation requests')
@Controller('devices')
export class ActuationController {
  constructor(private readonly actuateElevation: ActuateElevation) {}

  /**
   * Starts an approved elevation on the device: its agent acts on the consent prompt. A command is queued for the
   * agent; if the device fails, the elevation is approved again for the rest of its time.
   */
  @Post(':id/actuate-elevation')
  @Requires('devices:execute', { mfa: true, audit: 'device.elevation.actuate' })
  @ApiCreatedResponse({ type: ActuateElevationResponse })
  @ApiProblems(
    'device_decommissioned',
    'device_awaiting_confirmation',
    'pam_actuator_disabled',
    'site_access_denied',
    'device_not_found',
    'elevation_request_not_found',
    'pam_frozen',
    'wrong_status',
    'race_lost',
    'organization_frozen',
    'organization_not_found',
  )
  actuate(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() body: ActuateElevationDto,
  ): Promise<ActuateElevationResponse> {
    return this.actuateElevation.actuate(caller, id, body);
  }
}
