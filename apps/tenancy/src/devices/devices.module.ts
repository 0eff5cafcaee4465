import { AGENT_AUTHENTICATOR } from '@gatehouse/auth';
import { Global, Module } from '@nestjs/common';
import { ReadEffectiveConfiguration } from '../configuration-policies/effective/read-effective-configuration.ts';
import { PresenceModule } from '../presence/presence.module.ts';
import { AgentsController } from '../agents/agents.controller.ts';
import { ChangeDevice } from './change-device.ts';
import { SumDeviceCounts } from './counts/sum-device-counts.ts';
import { DevicesController } from './devices.controller.ts';
import { EnrollAgent } from '../agents/enroll-agent.ts';
import { AuthenticateAgent } from '../agents/authenticate-agent.ts';
import { ListDevices } from './list-devices.ts';
import { MoveDevice } from './move-device.ts';

/** Global, because the guard of every module uses it to authenticate agents. */
@Global()
@Module({
  imports: [PresenceModule],
  controllers: [DevicesController, AgentsController],
  providers: [
    ListDevices,
    SumDeviceCounts,
    ChangeDevice,
    MoveDevice,
    EnrollAgent,
    ReadEffectiveConfiguration,
    { provide: AGENT_AUTHENTICATOR, useClass: AuthenticateAgent },
  ],
  exports: [AGENT_AUTHENTICATOR],
})
export class DevicesModule {}
