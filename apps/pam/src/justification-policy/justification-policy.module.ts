import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { GetJustificationPolicy } from './get-justification-policy.ts';
import { JustificationPolicyController } from './justification-policy.controller.ts';
import { JustificationPolicyRepository } from './justification-policy.repository.ts';
import { UpdateJustificationPolicy } from './update-justification-policy.ts';

@Module({
  imports: [OrganizationsModule],
  controllers: [JustificationPolicyController],
  providers: [GetJustificationPolicy, UpdateJustificationPolicy, JustificationPolicyRepository],
})
export class JustificationPolicyModule {}
