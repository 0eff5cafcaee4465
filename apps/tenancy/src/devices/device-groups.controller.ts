import { CurrentCaller, Requires } from '@gatehouse/auth';
import { paged, type UserCaller } from '@gatehouse/contracts-core';
import {
  CreateDeviceGroupDto,
  DeviceGroupQuery,
  DeviceGroupResponse,
  GroupDevicesDto,
  SuccessResponse,
  UpdateDeviceGroupDto,
} from '@gatehouse/contracts-tenancy';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiPaged } from '../scope/api-paged.ts';
import { DeviceGroupMembersService, DeviceGroupsService } from './device-groups.service.ts';

@Controller('device-groups')
@ApiTags('device groups')
export class DeviceGroupsController {
  constructor(private readonly deviceGroups: DeviceGroupsService) {}

  /** Lists the device groups in the caller's reach. */
  @Get()
  @Requires('devices:read')
  @ApiPaged(DeviceGroupResponse)
  async list(@CurrentCaller() caller: UserCaller, @Query() query: DeviceGroupQuery) {
    return paged(query, await this.deviceGroups.list(caller, query));
  }

  /** Creates a device group. */
  @Post()
  @Requires('devices:write', { mfa: true, audit: 'device_group.create' })
  @ApiData(DeviceGroupResponse, 201)
  @ApiProblems('organization_not_found', 'organization_frozen', 'site_access_denied', 'name_taken')
  async create(@CurrentCaller() caller: UserCaller, @Body() draft: CreateDeviceGroupDto) {
    return { data: await this.deviceGroups.create(caller, draft) };
  }

  /** Reads a device group. */
  @Get(':id')
  @Requires('devices:read')
  @ApiData(DeviceGroupResponse)
  @ApiProblems('device_group_not_found')
  async get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string) {
    return { data: await this.deviceGroups.get(caller, id) };
  }

  /** Changes a device group. */
  @Patch(':id')
  @Requires('devices:write', { mfa: true, audit: 'device_group.update' })
  @ApiData(DeviceGroupResponse)
  @ApiProblems(
    'no_updates_provided',
    'device_group_not_found',
    'organization_frozen',
    'site_access_denied',
    'name_taken',
    'organization_not_found',
  )
  async update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() patch: UpdateDeviceGroupDto,
  ) {
    return { data: await this.deviceGroups.update(caller, id, patch) };
  }

  /** Deletes a device group. Its devices are kept. */
  @Delete(':id')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'device_group.delete' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems('device_group_not_found', 'organization_frozen', 'site_access_denied', 'organization_not_found')
  async delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessResponse> {
    await this.deviceGroups.delete(caller, id);
    return { success: true };
  }
}

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

  /** Adds devices to a group. Devices that are already in it stay in it. */
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
