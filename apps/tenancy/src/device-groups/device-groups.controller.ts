import { paged, type UserCaller } from '@gatehouse/contracts-core';
import {
  CreateDeviceGroupDto,
  DeviceGroupResponse,
  DeviceGroupQuery,
  GroupDevicesDto,
  SuccessResponse,
  UpdateDeviceGroupDto,
} from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiPaged } from '../rows/api-paged.ts';
import { ChangeMembers } from './members/change-members.ts';
import { ListDeviceGroups } from './list-device-groups.ts';
import { SaveDeviceGroup } from './save-device-group.ts';

@Controller('device-groups')
@ApiTags('device groups')
export class DeviceGroupsController {
  constructor(
    private readonly listGroups: ListDeviceGroups,
    private readonly saveGroup: SaveDeviceGroup,
    private readonly changeMembers: ChangeMembers,
  ) {}

  /** Lists the device groups in the caller's reach. */
  @Get()
  @Requires('devices:read')
  @ApiPaged(DeviceGroupResponse)
  async list(@CurrentCaller() caller: UserCaller, @Query() query: DeviceGroupQuery) {
    return paged(query, await this.listGroups.execute(caller, query));
  }

  /** Creates a device group. */
  @Post()
  @Requires('devices:write', { mfa: true, audit: 'device_group.create' })
  @ApiData(DeviceGroupResponse, 201)
  @ApiProblems('organization_not_found', 'organization_frozen', 'site_access_denied', 'name_taken')
  async create(@CurrentCaller() caller: UserCaller, @Body() draft: CreateDeviceGroupDto) {
    return { data: await this.saveGroup.create(caller, draft) };
  }

  /** Reads a device group. */
  @Get(':id')
  @Requires('devices:read')
  @ApiData(DeviceGroupResponse)
  @ApiProblems('device_group_not_found')
  async get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string) {
    return { data: await this.listGroups.one(caller, id) };
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
  )
  async update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() patch: UpdateDeviceGroupDto,
  ) {
    return { data: await this.saveGroup.update(caller, id, patch) };
  }

  /** Deletes a device group. Its devices stay. */
  @Delete(':id')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'device_group.delete' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems('device_group_not_found', 'organization_frozen', 'site_access_denied')
  async delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessResponse> {
    await this.saveGroup.delete(caller, id);
    return { success: true };
  }

  /** Adds devices to a group. Devices that are in it already stay. */
  @Post(':id/devices')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'device_group.devices.add' })
  @ApiData(DeviceGroupResponse)
  @ApiProblems('device_group_not_found', 'device_not_found', 'organization_frozen')
  async add(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string, @Body() devices: GroupDevicesDto) {
    return { data: await this.changeMembers.add(caller, id, devices) };
  }

  /** Removes several devices from a group. */
  @Delete(':id/devices')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'device_group.devices.remove' })
  @ApiData(DeviceGroupResponse)
  @ApiProblems('device_group_not_found', 'device_not_found', 'organization_frozen')
  async remove(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() devices: GroupDevicesDto,
  ) {
    return { data: await this.changeMembers.remove(caller, id, devices) };
  }

  /** Removes one device from a group. */
  @Delete(':id/devices/:deviceId')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'device_group.devices.remove' })
  @ApiData(DeviceGroupResponse)
  @ApiProblems('device_group_not_found', 'device_not_found', 'organization_frozen')
  async removeOne(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Param('deviceId', UuidParam) deviceId: string,
  ) {
    return { data: await this.changeMembers.remove(caller, id, { deviceIds: [deviceId] }) };
  }
}
