import { Module } from '@nestjs/common';
import { DeviceCommandsModule } from '../device-commands/device-commands.module.ts';
import { DevicesModule } from '../devices/devices.module.ts';
import { ElevationRequestsModule } from '../elevation-requests/elevation-requests.module.ts';
import { ActuateElevation } from './actuate-elevation.ts';
import { ActuationController } from './actuation.controller.ts';

@Module({
  imports: [DevicesModule, DeviceCommandsModule, ElevationRequestsModule],
  controllers: [ActuationController],
  providers: [ActuateElevation],
})
export class ActuationModule {}
