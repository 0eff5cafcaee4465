import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { PolicyTargetsModule } from '../policy-targets/policy-targets.module.ts';
import { RuleLintModule } from '../rule-lint/rule-lint.module.ts';
import { CreateSoftwarePolicy } from './create-software-policy.ts';
import { DeleteSoftwarePolicy } from './delete-software-policy.ts';
import { GetSoftwarePolicy } from './get-software-policy.ts';
import { ListSoftwarePolicies } from './list-software-policies.ts';
import { SoftwarePoliciesController } from './software-policies.controller.ts';
import { SoftwarePoliciesRepository } from './software-policies.repository.ts';
import { UpdateSoftwarePolicy } from './update-software-policy.ts';
import { WritableSoftwarePolicies } from './writable-software-policies.ts';

@Module({
  imports: [OrganizationsModule, PolicyTargetsModule, RuleLintModule],
  controllers: [SoftwarePoliciesController],
  providers: [
    ListSoftwarePolicies,
    GetSoftwarePolicy,
    CreateSoftwarePolicy,
    UpdateSoftwarePolicy,
    DeleteSoftwarePolicy,
    WritableSoftwarePolicies,
    SoftwarePoliciesRepository,
  ],
})
export class SoftwarePoliciesModule {}
