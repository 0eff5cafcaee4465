import { Module } from '@nestjs/common';
import { RequestStoreModule } from '../elevation-requests/request-store.module.ts';
import { ApprovalsController } from './approvals.controller.ts';
import { RequestApprovals } from './request-approvals.ts';
import { ListApprovals } from './list-approvals.ts';
import { SettleApproval } from '../decisions/settle-approval.ts';

@Module({
  imports: [RequestStoreModule],
  controllers: [ApprovalsController],
  providers: [RequestApprovals, ListApprovals, SettleApproval],
})
export class ApprovalsModule {}
