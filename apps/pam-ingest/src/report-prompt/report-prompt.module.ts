import { RequestConnections } from '@gatehouse/database';
import { CompiledRulebooks, ReportBatchRepository } from '@gatehouse/pam-store';
import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { RulebooksModule } from '../rulebooks/rulebooks.module.ts';
import { CostlyRules } from './costly-rules.ts';
import { DecideReport } from './decide-report.ts';
import { IgnoredHitCounts } from './ignored-hits.ts';
import { ReportPrompt } from './report-prompt.ts';
import { ReportPromptController } from './report-prompt.controller.ts';
import { Rulebooks } from './rulebooks.ts';

const reports = {
  provide: ReportBatchRepository,
  useFactory: (connections: RequestConnections) => new ReportBatchRepository(connections),
  inject: [RequestConnections],
};

@Module({
  controllers: [ReportPromptController],
  imports: [RulebooksModule],
  providers: [CompiledRulebooks, Rulebooks, reports, CostlyRules, IgnoredHitCounts, DecideReport, ReportPrompt],
})
export class ReportPromptModule implements OnApplicationShutdown {
  constructor(private readonly reports: ReportBatchRepository) {}

  onApplicationShutdown(): void {
    this.reports.close();
  }
}
