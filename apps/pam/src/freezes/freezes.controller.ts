import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  CreateFreezeDto,
  FreezeResponse,
  FreezesResponse,
  LiftFreezeDto,
  ListFreezesQuery,
} from '@gatehouse/contracts-pam';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { FreezesService } from './freezes.service.ts';

@ApiTags('PAM freezes')
@Controller('pam/freezes')
export class FreezesController {
  constructor(private readonly freezes: FreezesService) {}

  /** Lists the newest freezes in the caller's reach, and those of the whole partner. */
  @Get()
  @Requires('devices:read')
  @ApiOkResponse({ type: FreezesResponse })
  async list(@CurrentCaller() caller: UserCaller, @Query() query: ListFreezesQuery): Promise<FreezesResponse> {
    return { success: true, freezes: await this.freezes.list(caller, query) };
  }

  /**
   * Freezes privileged access at once: nothing is granted automatically or actuated on the devices of the target, and
   * active elevations end. Under `lockdown` technicians can only deny.
   */
  @Post()
  @Requires('devices:execute', { mfa: true, audit: 'pam.freeze.create' })
  @ApiCreatedResponse({ type: FreezeResponse })
  @ApiProblems(
    'site_access_denied',
    'scope_denied',
    'device_not_found',
    'site_not_found',
    'organization_not_found',
    'partner_not_found',
    'organization_frozen',
    'conflict',
  )
  async create(@CurrentCaller() caller: UserCaller, @Body() draft: CreateFreezeDto): Promise<FreezeResponse> {
    return { success: true, freeze: await this.freezes.create(caller, draft) };
  }

  /** Lifts a freeze. Elevations that it ended stay ended; technicians are notified of pending requests. */
  @Post(':id/lift')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:execute', { mfa: true, audit: 'pam.freeze.lift' })
  @ApiOkResponse({ type: FreezeResponse })
  @ApiProblems(
    'site_access_denied',
    'scope_denied',
    'freeze_not_found',
    'organization_frozen',
    'conflict',
    'organization_not_found',
  )
  async lift(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() { reason }: LiftFreezeDto,
  ): Promise<FreezeResponse> {
    return { success: true, freeze: await this.freezes.lift(caller, id, reason) };
  }
}
