import { Module } from '@nestjs/common';
import { DevicePresenceRepository } from './device-presence.repository.ts';
import { RecordSeenAgents } from './record-seen-agents.ts';
import { SeenAgents } from './seen-agents.ts';
import { SetSilentDevicesOffline } from './set-silent-devices-offline.ts';

@Module({
  providers: [DevicePresenceRepository, RecordSeenAgents, SeenAgents, SetSilentDevicesOffline],
  exports: [SeenAgents, DevicePresenceRepository],
})
export class PresenceModule {}
