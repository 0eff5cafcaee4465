import { Module } from '@nestjs/common';
import { RuleCandidatesModule } from '../rule-candidates/rule-candidates.module.ts';
import { RulePreviewModule } from '../rule-preview/rule-preview.module.ts';
import { ToolCatalogModule } from '../tools/tool-catalog.module.ts';
import { PerformReplay } from './perform-replay.ts';
import { ReplayWorkRepository } from './replay-work.repository.ts';
import { RunReplays } from './run-replays.ts';

@Module({
  imports: [RuleCandidatesModule, RulePreviewModule, ToolCatalogModule],
  providers: [RunReplays, PerformReplay, ReplayWorkRepository],
})
export class ReplayJobsModule {}
