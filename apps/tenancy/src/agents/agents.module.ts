import { AGENT_AUTHENTICATOR } from '@gatehouse/auth';
import { Global, Module } from '@nestjs/common';
import { DevicesModule } from '../devices/devices.module.ts';
import { EnrollmentKeysModule } from '../enrollment-keys/enrollment-keys.module.ts';
import { PresenceModule } from '../presence/presence.module.ts';
import { AgentsController } from './agents.controller.ts';
import { AuthenticateAgent } from './authenticate-agent.ts';
import { EnrollAgent } from './enrolment/enroll-agent.ts';
import { GetAgentConfiguration } from './get-agent-configuration.ts';
import { RecordAgentProtocol } from './record-agent-protocol.ts';
import { ReenrollAgent } from './enrolment/reenroll-agent.ts';
import { RotateOwnToken } from './rotate-own-token.ts';
import { UpdateInventory } from './update-inventory.ts';
import { UseEnrollmentKey } from './enrolment/use-enrollment-key.ts';

/** Global, because the guard of every module uses it to authenticate agents. */
@Global()
@Module({
  imports: [DevicesModule, EnrollmentKeysModule, PresenceModule],
  controllers: [AgentsController],
  providers: [
    UseEnrollmentKey,
    ReenrollAgent,
    EnrollAgent,
    GetAgentConfiguration,
    RecordAgentProtocol,
    RotateOwnToken,
    UpdateInventory,
    { provide: AGENT_AUTHENTICATOR, useClass: AuthenticateAgent },
  ],
  exports: [AGENT_AUTHENTICATOR],
})
export class AgentsModule {}
