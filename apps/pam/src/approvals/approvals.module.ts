import { Module } from '@nestjs/common';
import { RequestStoreModule } from '../elevation-requests/request-store.module.ts';
import { ApprovalsController } from './approvals.controller.ts';
import { AskTechnicians } from './ask-technicians.ts';
import { ListApprovals } from './list-approvals.ts';
import { SettleApproval } from './settle-approval.ts';

@Module({
  imports: [RequestStoreModule],
  controllers: [ApprovalsController],
  providers: [AskTechnicians, ListApprovals, SettleApproval],
})
export class ApprovalsModule {}
