import { Module } from '@nestjs/common';
import { RulesModule } from '../rules/rules.module.ts';
import { GetShadowReport } from './get-shadow-report.ts';
import { ShadowHitsRepository } from './shadow-hits.repository.ts';
import { ShadowReportsController } from './shadow-reports.controller.ts';

@Module({
  imports: [RulesModule],
  controllers: [ShadowReportsController],
  providers: [GetShadowReport, ShadowHitsRepository],
})
export class ShadowReportsModule {}
