import { Module } from '@nestjs/common';
import { DevicesModule } from '../devices/devices.module.ts';
import { CreateDeviceGroup } from './create-device-group.ts';
import { DeleteDeviceGroup } from './delete-device-group.ts';
import { DeviceGroupsController } from './device-groups.controller.ts';
import { DeviceGroupsRepository } from './device-groups.repository.ts';
import { GetDeviceGroup } from './get-device-group.ts';
import { ListDeviceGroups } from './list-device-groups.ts';
import { AddGroupDevices } from './members/add-group-devices.ts';
import { GroupMembersController } from './members/group-members.controller.ts';
import { GroupMembersRepository } from './members/group-members.repository.ts';
import { FollowApprovalLevels } from './members/member-change.ts';
import { RemoveGroupDevices } from './members/remove-group-devices.ts';
import { UpdateDeviceGroup } from './update-device-group.ts';

@Module({
  imports: [DevicesModule],
  controllers: [DeviceGroupsController, GroupMembersController],
  providers: [
    DeviceGroupsRepository,
    GroupMembersRepository,
    ListDeviceGroups,
    GetDeviceGroup,
    CreateDeviceGroup,
    UpdateDeviceGroup,
    DeleteDeviceGroup,
    AddGroupDevices,
    RemoveGroupDevices,
    FollowApprovalLevels,
  ],
})
export class DeviceGroupsModule {}
