import { Module } from '@nestjs/common';
import { DeviceCommandsModule } from '../device-commands/device-commands.module.ts';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { PolicyTargetsModule } from '../policy-targets/policy-targets.module.ts';
import { CreateFreeze } from './create-freeze.ts';
import { ExpireFreezes } from './expire-freezes.ts';
import { FollowUpFreezes } from './follow-up-freezes.ts';
import { FreezeTargets } from './freeze-targets.ts';
import { FreezeWorkRepository } from './freeze-work.repository.ts';
import { FreezesController } from './freezes.controller.ts';
import { FreezesRepository } from './freezes.repository.ts';
import { LiftFreeze } from './lift-freeze.ts';
import { ListFreezes } from './list-freezes.ts';

@Module({
  imports: [OrganizationsModule, PolicyTargetsModule, DeviceCommandsModule],
  controllers: [FreezesController],
  providers: [
    ListFreezes,
    CreateFreeze,
    LiftFreeze,
    ExpireFreezes,
    FollowUpFreezes,
    FreezeTargets,
    FreezesRepository,
    FreezeWorkRepository,
  ],
})
export class FreezesModule {}
