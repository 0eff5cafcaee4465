import {
  CountRuleUse,
  ElevationCountsRepository,
  IgnoredCountsRepository,
  UpkeepRepository,
} from '@gatehouse/pam-store';
import { Module } from '@nestjs/common';
import { MaintainRequestTables } from './maintain-request-tables.ts';

@Module({
  providers: [
    MaintainRequestTables,
    UpkeepRepository,
    ElevationCountsRepository,
    IgnoredCountsRepository,
    CountRuleUse,
  ],
})
export class UpkeepModule {}
