import { Module } from '@nestjs/common';
import { AssignConfigurationPolicy } from './assignments/assign-configuration-policy.ts';
import { ConfigurationPoliciesController } from './configuration-policies.controller.ts';
import { ListConfigurationPolicies } from './list-configuration-policies.ts';
import { SaveConfigurationPolicy } from './save-configuration-policy.ts';

@Module({
  controllers: [ConfigurationPoliciesController],
  providers: [ListConfigurationPolicies, SaveConfigurationPolicy, AssignConfigurationPolicy],
})
export class ConfigurationPoliciesModule {}
