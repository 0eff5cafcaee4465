import { ElevationCountsRepository, UpkeepRepository } from '@gatehouse/pam-store';
import { Module } from '@nestjs/common';
import { MaintainRequestTables } from './maintain-request-tables.ts';

@Module({ providers: [MaintainRequestTables, UpkeepRepository, ElevationCountsRepository] })
export class UpkeepModule {}
