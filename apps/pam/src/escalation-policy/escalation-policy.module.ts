import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { GetEscalationPolicy } from './get-escalation-policy.ts';
import { EscalationPolicyController } from './escalation-policy.controller.ts';
import { EscalationPolicyRepository } from './escalation-policy.repository.ts';
import { UpdateEscalationPolicy } from './update-escalation-policy.ts';

@Module({
  imports: [OrganizationsModule],
  controllers: [EscalationPolicyController],
  providers: [GetEscalationPolicy, UpdateEscalationPolicy, EscalationPolicyRepository],
})
export class EscalationPolicyModule {}
