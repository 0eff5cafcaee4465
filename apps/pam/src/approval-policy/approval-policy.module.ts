import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { ApprovalPolicyController } from './approval-policy.controller.ts';
import { ApprovalPolicyRepository } from './approval-policy.repository.ts';
import { GetApprovalPolicy } from './get-approval-policy.ts';
import { UpdateApprovalPolicy } from './update-approval-policy.ts';

@Module({
  imports: [OrganizationsModule],
  controllers: [ApprovalPolicyController],
  providers: [GetApprovalPolicy, UpdateApprovalPolicy, ApprovalPolicyRepository],
})
export class ApprovalPolicyModule {}
