import { CurrentCaller, Requires } from '@gatehouse/auth';
import { paged, type UserCaller } from '@gatehouse/contracts-core';
import {
  DeviceQuery,
  DeviceResponse,
  IssuedAgentTokenResponse,
  MovedDeviceResponse,
  MoveDeviceDto,
  UpdateDeviceDto,
} from '@gatehouse/contracts-tenancy';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiPaged } from '../scope/api-paged.ts';
import { DeviceReturns } from './device-returns.service.ts';
import { DevicesService } from './devices.service.ts';
import { MoveDevice } from './move/move-device.ts';

@Controller('devices')
@ApiTags('devices')
export class DevicesController {
  constructor(
    private readonly devices: DevicesService,
    private readonly moveDevice: MoveDevice,
  ) {}

  /** Lists the devices in the caller's reach. */
  @Get()
  @Requires('devices:read')
  @ApiPaged(DeviceResponse)
  async list(@CurrentCaller() caller: UserCaller, @Query() query: DeviceQuery) {
    return paged(query, await this.devices.list(caller, query));
  }

  /** Reads a device. */
  @Get(':id')
  @Requires('devices:read')
  @ApiOkResponse({ type: DeviceResponse })
  @ApiProblems('device_not_found')
  get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DeviceResponse> {
    return this.devices.get(caller, id);
  }

  /** Changes a device's display name or maintenance status. */
  @Patch(':id')
  @Requires('devices:write', { mfa: true, audit: 'device.update' })
  @ApiOkResponse({ type: DeviceResponse })
  @ApiProblems(
    'no_updates_provided',
    'conflict',
    'device_inactive',
    'device_not_found',
    'organization_frozen',
    'organization_not_found',
  )
  update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() patch: UpdateDeviceDto,
  ): Promise<DeviceResponse> {
    return this.devices.update(caller, id, patch);
  }

  /** Decommissions a device permanently. Its token stops working within five seconds. */
  @Post(':id/decommission')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'device.decommission' })
  @ApiOkResponse({ type: DeviceResponse })
  @ApiProblems('device_inactive', 'device_not_found', 'organization_frozen', 'organization_not_found')
  decommission(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DeviceResponse> {
    return this.devices.decommission(caller, id);
  }

  /** Rotates a device's agent token. The old one stops working; the new one is shown only once. */
  @Post(':id/agent-token/rotate')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'device.agent_token.rotate' })
  @ApiOkResponse({ type: IssuedAgentTokenResponse })
  @ApiProblems(
    'device_inactive',
    'device_not_found',
    'organization_frozen',
    'organization_not_found',
    'idempotency_secret_shown',
  )
  rotateToken(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
  ): Promise<IssuedAgentTokenResponse> {
    return this.devices.rotateAgentToken(caller, id);
  }

  /**
   * Moves a device to another site, also of another organisation. The response lists what the device lost by the move.
   */
  @Post(':id/move')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'device.move' })
  @ApiOkResponse({ type: MovedDeviceResponse })
  @ApiProblems(
    'site_not_in_org',
    'target_not_found',
    'device_inactive',
    'device_not_found',
    'organization_not_found',
    'organization_frozen',
    'device_limit_reached',
  )
  move(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() target: MoveDeviceDto,
  ): Promise<MovedDeviceResponse> {
    return this.moveDevice.move(caller, id, target);
  }
}

@Controller('devices/:id/return')
@ApiTags('devices')
export class DeviceReturnsController {
  constructor(private readonly deviceReturns: DeviceReturns) {}

  /**
   * Confirms that a machine which enrolled again is the device of its `returnsAs`. That device gets the machine's token
   * and keeps its groups, values and site; its old token stops working. The response is that device.
   */
  @Post('confirm')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'device.return.confirm' })
  @ApiOkResponse({ type: DeviceResponse })
  @ApiProblems('conflict', 'device_not_found', 'organization_frozen', 'organization_not_found')
  confirm(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DeviceResponse> {
    return this.deviceReturns.confirm(caller, id);
  }

  /** Refuses a machine that is awaiting confirmation. It is decommissioned; the device of its `returnsAs` is not. */
  @Post('refuse')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'device.return.refuse' })
  @ApiOkResponse({ type: DeviceResponse })
  @ApiProblems('conflict', 'device_not_found', 'organization_frozen', 'organization_not_found')
  refuse(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DeviceResponse> {
    return this.deviceReturns.refuse(caller, id);
  }
}
