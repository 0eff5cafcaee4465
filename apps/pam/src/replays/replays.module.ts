import { RulebookRepository } from '@gatehouse/pam-store';
import { Module } from '@nestjs/common';
import { OrgConfigModule } from '../org-config/org-config.module.ts';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { RuleCandidatesModule } from '../rule-candidates/rule-candidates.module.ts';
import { RuleLintModule } from '../rule-lint/rule-lint.module.ts';
import { RulePreviewModule } from '../rule-preview/rule-preview.module.ts';
import { RulesModule } from '../rules/rules.module.ts';
import { ApplyReplay } from './apply-replay.ts';
import { CancelReplay } from './cancel-replay.ts';
import { FinalNumbers } from '../rule-candidates/final-numbers.ts';
import { GetReplay } from './get-replay.ts';
import { ListReplayChanges } from './list-replay-changes.ts';
import { ListReplays } from './list-replays.ts';
import { ReplayResultsController } from './replay-results.controller.ts';
import { ReplaysController } from './replays.controller.ts';
import { ReplaysRepository } from './replays.repository.ts';
import { StartReplay } from './start-replay.ts';
import { StoreRuleset } from './store-ruleset.ts';

@Module({
  imports: [OrganizationsModule, OrgConfigModule, RulesModule, RuleLintModule, RuleCandidatesModule, RulePreviewModule],
  controllers: [ReplaysController, ReplayResultsController],
  providers: [
    StartReplay,
    ListReplays,
    GetReplay,
    ListReplayChanges,
    CancelReplay,
    ApplyReplay,
    StoreRuleset,
    FinalNumbers,
    ReplaysRepository,
    RulebookRepository,
  ],
})
export class ReplaysModule {}
