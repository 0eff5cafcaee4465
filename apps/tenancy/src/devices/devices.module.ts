import { Module } from '@nestjs/common';
import { DeviceCountsRepository } from './counts/device-counts.repository.ts';
import { SumDeviceCounts } from './counts/sum-device-counts.ts';
import { DecommissionDevice } from './decommission-device.ts';
import { DeviceReturnsController } from './device-returns.controller.ts';
import { DeviceReturns } from './device-returns.service.ts';
import { DevicesController } from './devices.controller.ts';
import { DevicesRepository } from './devices.repository.ts';
import { GetDevice } from './get-device.ts';
import { ListDevices } from './list-devices.ts';
import { DeviceMovesRepository } from './move/device-moves.repository.ts';
import { MoveDevice } from './move/move-device.ts';
import { RotateAgentToken } from './rotate-agent-token.ts';
import { UpdateDevice } from './update-device.ts';

@Module({
  controllers: [DevicesController, DeviceReturnsController],
  providers: [
    DevicesRepository,
    DeviceCountsRepository,
    DeviceMovesRepository,
    ListDevices,
    GetDevice,
    UpdateDevice,
    DecommissionDevice,
    DeviceReturns,
    RotateAgentToken,
    MoveDevice,
    SumDeviceCounts,
  ],
  exports: [DevicesRepository, DeviceCountsRepository],
})
export class DevicesModule {}
