import { Module } from '@nestjs/common';
import { DeviceCommandsModule } from '../device-commands/device-commands.module.ts';
import { DevicesModule } from '../devices/devices.module.ts';
import { RequestStatesModule } from '../request-states/request-states.module.ts';
import { ActuateElevation } from './actuate-elevation.ts';
import { ActuationController } from './actuation.controller.ts';

@Module({
  imports: [DevicesModule, DeviceCommandsModule, RequestStatesModule],
  controllers: [ActuationController],
  providers: [ActuateElevation],
})
export class ActuationModule {}
