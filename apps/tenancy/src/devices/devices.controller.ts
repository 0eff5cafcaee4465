import { paged, type UserCaller } from '@gatehouse/contracts-core';
import { DeviceDto, DeviceQuery } from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { Refuses, UuidParam } from '@gatehouse/service';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiPaged } from '../rows/api-paged.ts';
import { ListDevices } from './list-devices.ts';

@Controller('devices')
@ApiTags('devices')
export class DevicesController {
  constructor(private readonly listDevices: ListDevices) {}

  @Get()
  @Requires('devices:read')
  @ApiPaged(DeviceDto)
  async list(@CurrentCaller() caller: UserCaller, @Query() query: DeviceQuery) {
    return paged(query, await this.listDevices.execute(caller, query));
  }

  @Get(':id')
  @Requires('devices:read')
  @ApiOkResponse({ type: DeviceDto })
  @Refuses('device_not_found')
  get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DeviceDto> {
    return this.listDevices.one(caller, id);
  }
}
