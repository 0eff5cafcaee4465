import { CountRuleUse } from '@gatehouse/pam-store';
import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { GetRuleUsage } from './get-rule-usage.ts';
import { RuleUsageController } from './rule-usage.controller.ts';
import { RuleUsageRepository } from './rule-usage.repository.ts';

@Module({
  imports: [OrganizationsModule],
  controllers: [RuleUsageController],
  providers: [GetRuleUsage, RuleUsageRepository, CountRuleUse],
})
export class RuleUsageModule {}
