import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { PolicyTargets } from './policy-targets.ts';
import { PolicyTargetsRepository } from './policy-targets.repository.ts';

@Module({
  imports: [OrganizationsModule],
  providers: [PolicyTargets, PolicyTargetsRepository],
  exports: [PolicyTargets, PolicyTargetsRepository],
})
export class PolicyTargetsModule {}
