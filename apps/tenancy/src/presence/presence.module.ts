import { Module } from '@nestjs/common';
import { AgentsRepository } from '../agents/agents.repository.ts';
import { AgentTokens } from './agent-tokens.service.ts';
import { DevicePresenceRepository } from './device-presence.repository.ts';
import { RecordSeenAgents } from './record-seen-agents.ts';
import { SeenAgents } from './seen-agents.ts';
import { SetSilentDevicesOffline } from './set-silent-devices-offline.ts';

@Module({
  providers: [
    AgentsRepository,
    AgentTokens,
    DevicePresenceRepository,
    RecordSeenAgents,
    SeenAgents,
    SetSilentDevicesOffline,
  ],
  exports: [AgentsRepository, AgentTokens, SeenAgents, DevicePresenceRepository],
})
export class PresenceModule {}
