import { Module } from '@nestjs/common';
import { ApprovalsModule } from '../approvals/approvals.module.ts';
import { DeviceCommandsModule } from '../device-commands/device-commands.module.ts';
import { ExpireElevations } from './expire-elevations.ts';
import { ExpiryRepository } from './expiry.repository.ts';
import { MovedDevicesRepository } from './moved-devices.repository.ts';

@Module({
  imports: [ApprovalsModule, DeviceCommandsModule],
  providers: [ExpireElevations, ExpiryRepository, MovedDevicesRepository],
})
export class ExpiryModule {}
