import { paged, type UserCaller } from '@gatehouse/contracts-core';
import {
  CreateDeviceGroupDto,
  DeviceGroupResponse,
  DeviceGroupQuery,
  SuccessResponse,
  UpdateDeviceGroupDto,
} from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiPaged } from '../rows/api-paged.ts';
import { CreateDeviceGroup } from './create-device-group.ts';
import { DeleteDeviceGroup } from './delete-device-group.ts';
import { GetDeviceGroup } from './get-device-group.ts';
import { ListDeviceGroups } from './list-device-groups.ts';
import { UpdateDeviceGroup } from './update-device-group.ts';

@Controller('device-groups')
@ApiTags('device groups')
export class DeviceGroupsController {
  constructor(
    private readonly listDeviceGroups: ListDeviceGroups,
    private readonly getDeviceGroup: GetDeviceGroup,
    private readonly createDeviceGroup: CreateDeviceGroup,
    private readonly updateDeviceGroup: UpdateDeviceGroup,
    private readonly deleteDeviceGroup: DeleteDeviceGroup,
  ) {}

  /** Lists the device groups in the caller's reach. */
  @Get()
  @Requires('devices:read')
  @ApiPaged(DeviceGroupResponse)
  async list(@CurrentCaller() caller: UserCaller, @Query() query: DeviceGroupQuery) {
    return paged(query, await this.listDeviceGroups.execute(caller, query));
  }

  /** Creates a device group. */
  @Post()
  @Requires('devices:write', { mfa: true, audit: 'device_group.create' })
  @ApiData(DeviceGroupResponse, 201)
  @ApiProblems('organization_not_found', 'organization_frozen', 'site_access_denied', 'name_taken')
  async create(@CurrentCaller() caller: UserCaller, @Body() draft: CreateDeviceGroupDto) {
    return { data: await this.createDeviceGroup.execute(caller, draft) };
  }

  /** Reads a device group. */
  @Get(':id')
  @Requires('devices:read')
  @ApiData(DeviceGroupResponse)
  @ApiProblems('device_group_not_found')
  async get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string) {
    return { data: await this.getDeviceGroup.execute(caller, id) };
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
    return { data: await this.updateDeviceGroup.execute(caller, id, patch) };
  }

  /** Deletes a device group. Its devices stay. */
  @Delete(':id')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'device_group.delete' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems('device_group_not_found', 'organization_frozen', 'site_access_denied', 'organization_not_found')
  async delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessResponse> {
    await this.deleteDeviceGroup.execute(caller, id);
    return { success: true };
  }
}
