import type { UserCaller } from '@gatehouse/contracts-core';
import { DeviceResponse } from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { DeviceReturns } from './device-returns.service.ts';

@Controller('devices/:id/return')
@ApiTags('devices')
export class DeviceReturnsController {
  constructor(private readonly deviceReturns: DeviceReturns) {}

  /**
   * Confirms that a machine which enrolled again is the device of its `returnsAs`. That device gets the machine's token
   * and keeps its groups, values and place; its old token stops working. The answer is that device.
   */
  @Post('confirm')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'device.return.confirm' })
  @ApiOkResponse({ type: DeviceResponse })
  @ApiProblems('conflict', 'device_not_found', 'organization_frozen', 'organization_not_found')
  confirm(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DeviceResponse> {
    return this.deviceReturns.confirm(caller, id);
  }

  /** Refuses a machine that waits for confirmation. It is decommissioned; the device of its `returnsAs` stays. */
  @Post('refuse')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'device.return.refuse' })
  @ApiOkResponse({ type: DeviceResponse })
  @ApiProblems('conflict', 'device_not_found', 'organization_frozen', 'organization_not_found')
  refuse(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DeviceResponse> {
    return this.deviceReturns.refuse(caller, id);
  }
}
