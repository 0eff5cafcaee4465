import { CompiledRulebooks, RulebookRepository } from '@gatehouse/pam-store';
import { Module } from '@nestjs/common';
import { RequestStoreModule } from '../elevation-requests/request-store.module.ts';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { HeldRulebooks } from './held-rulebooks.ts';
import { SubmissionsRepository } from './submissions.repository.ts';
import { SubmitRequest } from './submit-request.ts';

@Module({
  imports: [RequestStoreModule, OrganizationsModule],
  providers: [SubmitRequest, SubmissionsRepository, HeldRulebooks, RulebookRepository, CompiledRulebooks],
  exports: [SubmitRequest],
})
export class SubmissionModule {}
