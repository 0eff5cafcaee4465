import { AGENT_AUTHENTICATOR } from '@gatehouse/auth';
import { AgentDevicesRepository } from '@gatehouse/pam-store';
import { Global, Module } from '@nestjs/common';
import { AgentDevices } from './agent-devices.ts';
import { SeenAgents } from './seen-agents.ts';
import { TokenAuthenticator } from './token-authenticator.ts';

@Global()
@Module({
  providers: [
    AgentDevicesRepository,
    AgentDevices,
    SeenAgents,
    { provide: AGENT_AUTHENTICATOR, useClass: TokenAuthenticator },
  ],
  exports: [AgentDevices, AGENT_AUTHENTICATOR],
})
export class AgentsModule {}
