import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { PolicyTargetsModule } from '../policy-targets/policy-targets.module.ts';
import { GetStatistics } from './get-statistics.ts';
import { StatisticsController } from './statistics.controller.ts';
import { StatisticsRepository } from './statistics.repository.ts';

@Module({
  imports: [OrganizationsModule, PolicyTargetsModule],
  controllers: [StatisticsController],
  providers: [GetStatistics, StatisticsRepository],
})
export class StatisticsModule {}
