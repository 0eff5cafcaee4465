import { Module } from '@nestjs/common';
import { ChangeMembers } from './members/change-members.ts';
import { DeviceGroupsController } from './device-groups.controller.ts';
import { ListDeviceGroups } from './list-device-groups.ts';
import { SaveDeviceGroup } from './save-device-group.ts';

@Module({ controllers: [DeviceGroupsController], providers: [ListDeviceGroups, SaveDeviceGroup, ChangeMembers] })
export class DeviceGroupsModule {}
