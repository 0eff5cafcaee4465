import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { ListSoftwarePolicies } from './list-software-policies.ts';
import { PolicyTargets } from './policy-targets.ts';
import { PolicyTargetsRepository } from './policy-targets.repository.ts';
import { CreateSoftwarePolicy } from './create-software-policy.ts';
import { SoftwarePoliciesController } from './software-policies.controller.ts';
import { SoftwarePoliciesRepository } from './software-policies.repository.ts';

@Module({
  imports: [OrganizationsModule],
  controllers: [SoftwarePoliciesController],
  providers: [
    ListSoftwarePolicies,
    CreateSoftwarePolicy,
    PolicyTargets,
    PolicyTargetsRepository,
    SoftwarePoliciesRepository,
  ],
})
export class SoftwarePoliciesModule {}
