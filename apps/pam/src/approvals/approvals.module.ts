import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { ApprovalQuestionsRepository } from './approval-questions.repository.ts';
import { ApprovalsController } from './approvals.controller.ts';
import { ApprovalsRepository } from './approvals.repository.ts';
import { GetApproval } from './get-approval.ts';
import { ListApprovals } from './list-approvals.ts';
import { RequestApprovals } from './request-approvals.ts';

@Module({
  imports: [OrganizationsModule],
  controllers: [ApprovalsController],
  providers: [RequestApprovals, ListApprovals, GetApproval, ApprovalsRepository, ApprovalQuestionsRepository],
  exports: [ApprovalsRepository, ApprovalQuestionsRepository, RequestApprovals],
})
export class ApprovalsModule {}
