import type { UserCaller } from '@gatehouse/contracts-core';
import { DeviceGroupResponse, GroupDevicesDto } from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData } from '../../scope/api-paged.ts';
import { DeviceGroupMembersService } from './device-group-members.service.ts';

const PROBLEMS = [
  'device_group_not_found',
  'device_not_found',
  'organization_frozen',
  'organization_not_found',
  'site_access_denied',
] as const;

@Controller('device-groups/:id/devices')
@ApiTags('device groups')
export class GroupMembersController {
  constructor(private readonly deviceGroupMembers: DeviceGroupMembersService) {}

  /** Adds devices to a group. Devices that are in it already stay. */
  @Post()
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'device_group.devices.add' })
  @ApiData(DeviceGroupResponse)
  @ApiProblems(...PROBLEMS)
  async add(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string, @Body() devices: GroupDevicesDto) {
    return { data: await this.deviceGroupMembers.addGroupDevices(caller, id, devices) };
  }

  /** Removes several devices from a group. */
  @Delete()
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'device_group.devices.remove' })
  @ApiData(DeviceGroupResponse)
  @ApiProblems(...PROBLEMS)
  async remove(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() devices: GroupDevicesDto,
  ) {
    return { data: await this.deviceGroupMembers.removeGroupDevices(caller, id, devices) };
  }

  /** Removes one device from a group. */
  @Delete(':deviceId')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'device_group.devices.remove' })
  @ApiData(DeviceGroupResponse)
  @ApiProblems(...PROBLEMS)
  async removeOne(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Param('deviceId', UuidParam) deviceId: string,
  ) {
    return { data: await this.deviceGroupMembers.removeGroupDevices(caller, id, { deviceIds: [deviceId] }) };
  }
}
