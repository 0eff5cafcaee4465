import { CompiledRulebooks, RulebookRepository } from '@gatehouse/pam-store';
import { Module } from '@nestjs/common';
import { DevicesModule } from '../devices/devices.module.ts';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { LockedRulebooks } from './locked-rulebooks.ts';
import { SubmissionController } from './submission.controller.ts';
import { SubmissionsRepository } from './submissions.repository.ts';
import { SubmitRequest } from './submit-request.ts';

@Module({
  imports: [DevicesModule, OrganizationsModule],
  controllers: [SubmissionController],
  providers: [SubmitRequest, SubmissionsRepository, LockedRulebooks, RulebookRepository, CompiledRulebooks],
  exports: [SubmitRequest, RulebookRepository, CompiledRulebooks],
})
export class SubmissionModule {}
