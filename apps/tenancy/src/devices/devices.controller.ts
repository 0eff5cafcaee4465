import { paged, type UserCaller } from '@gatehouse/contracts-core';
import {
  DeviceResponse,
  DeviceQuery,
  EffectiveConfigurationResponse,
  IssuedAgentTokenResponse,
  MovedDeviceResponse,
  MoveDeviceDto,
  UpdateDeviceDto,
} from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiPaged } from '../rows/api-paged.ts';
import { ReadEffectiveConfiguration } from '../configuration-policies/effective/read-effective-configuration.ts';
import { ChangeDevice } from './change-device.ts';
import { ListDevices } from './list-devices.ts';
import { MoveDevice } from './move-device.ts';

@Controller('devices')
@ApiTags('devices')
export class DevicesController {
  constructor(
    private readonly listDevices: ListDevices,
    private readonly changeDevice: ChangeDevice,
    private readonly moveDevice: MoveDevice,
    private readonly readConfiguration: ReadEffectiveConfiguration,
  ) {}

  /** Lists the devices in the caller's reach. */
  @Get()
  @Requires('devices:read')
  @ApiPaged(DeviceResponse)
  async list(@CurrentCaller() caller: UserCaller, @Query() query: DeviceQuery) {
    return paged(query, await this.listDevices.execute(caller, query));
  }

  /** Reads a device. */
  @Get(':id')
  @Requires('devices:read')
  @ApiOkResponse({ type: DeviceResponse })
  @ApiProblems('device_not_found')
  get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DeviceResponse> {
    return this.listDevices.one(caller, id);
  }

  /** Changes a device's name or maintenance state. */
  @Patch(':id')
  @Requires('devices:write', { mfa: true, audit: 'device.update' })
  @ApiOkResponse({ type: DeviceResponse })
  @ApiProblems('no_updates_provided', 'device_inactive', 'device_not_found', 'organization_frozen')
  update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() patch: UpdateDeviceDto,
  ): Promise<DeviceResponse> {
    return this.changeDevice.update(caller, id, patch);
  }

  /** Takes a device out of service for good. Its token stops working within five seconds. */
  @Post(':id/decommission')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'device.decommission' })
  @ApiOkResponse({ type: DeviceResponse })
  @ApiProblems('device_inactive', 'device_not_found', 'organization_frozen')
  decommission(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DeviceResponse> {
    return this.changeDevice.decommission(caller, id);
  }

  /** Replaces a device's token. The old one stops working; the new one is shown this once. */
  @Post(':id/agent-token/rotate')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'device.agent_token.rotate' })
  @ApiOkResponse({ type: IssuedAgentTokenResponse })
  @ApiProblems('device_inactive', 'device_not_found', 'organization_frozen')
  rotateToken(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
  ): Promise<IssuedAgentTokenResponse> {
    return this.changeDevice.rotateToken(caller, id);
  }

  /**
   * Moves a device to another site, also of another organisation. The answer names what the device lost with the move.
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
    return this.moveDevice.execute(caller, id, target);
  }

  /** Reads the settings in effect for a device, each with the policy that decided it. */
  @Get(':id/effective-configuration')
  @Requires('devices:read')
  @ApiOkResponse({ type: EffectiveConfigurationResponse })
  @ApiProblems('device_not_found')
  effectiveConfiguration(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
  ): Promise<EffectiveConfigurationResponse> {
    return this.readConfiguration.forUser(caller, id);
  }
}
