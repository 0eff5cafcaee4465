import { Module } from '@nestjs/common';
import { DevicesModule } from '../devices/devices.module.ts';
import { AssignConfigurationPolicy } from './assignments/assign-configuration-policy.ts';
import { PolicyAssignmentsController } from './assignments/policy-assignments.controller.ts';
import { PolicyAssignmentsRepository } from './assignments/policy-assignments.repository.ts';
import { UnassignConfigurationPolicy } from './assignments/unassign-configuration-policy.ts';
import { ConfigurationPoliciesController } from './configuration-policies.controller.ts';
import { ConfigurationPoliciesRepository } from './configuration-policies.repository.ts';
import { CreateConfigurationPolicy } from './create-configuration-policy.ts';
import { DeleteConfigurationPolicy } from './delete-configuration-policy.ts';
import { EffectiveConfigurationController } from './effective/effective-configuration.controller.ts';
import { GetEffectiveConfiguration } from './effective/get-effective-configuration.ts';
import { GetConfigurationPolicy } from './get-configuration-policy.ts';
import { ListConfigurationPolicies } from './list-configuration-policies.ts';
import { UpdateConfigurationPolicy } from './update-configuration-policy.ts';

@Module({
  imports: [DevicesModule],
  controllers: [ConfigurationPoliciesController, PolicyAssignmentsController, EffectiveConfigurationController],
  providers: [
    ConfigurationPoliciesRepository,
    PolicyAssignmentsRepository,
    ListConfigurationPolicies,
    GetConfigurationPolicy,
    CreateConfigurationPolicy,
    UpdateConfigurationPolicy,
    DeleteConfigurationPolicy,
    AssignConfigurationPolicy,
    UnassignConfigurationPolicy,
    GetEffectiveConfiguration,
  ],
})
export class ConfigurationPoliciesModule {}
