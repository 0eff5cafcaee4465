import {
  CompiledRulebooks,
  CountRuleUse,
  ElevationCountsRepository,
  PamReadModelsModule,
  RulebookRepository,
  UninstallModule,
} from '@gatehouse/pam-store';
import { TenantDataModule } from '@gatehouse/tenant-data';
import { Module } from '@nestjs/common';
import { ActuateElevation } from './requests/actuate-elevation.ts';
import { ActuationController } from './requests/actuation.controller.ts';
import { ApprovalsService } from './approvals/approvals.service.ts';
import { DecisionsService } from './approvals/decisions.service.ts';
import { ElevationRequestsService } from './requests/elevation-requests.service.ts';
import { ExplanationsService } from './requests/explanations.service.ts';
import { FreezesService, FreezeTargets } from './freezes/freezes.service.ts';
import { ReplaysService } from './rule-lab/replays.service.ts';
import { RuleLinter, RuleLintService } from './rules/rule-linter.ts';
import { RuleOptOutsService } from './rules/rule-opt-outs.service.ts';
import { RuleOrderService, RulesService, RuleUsageService } from './rules/rules.service.ts';
import { RulePreviewService } from './rule-lab/rule-preview.service.ts';
import { RuleProposalsService } from './rule-lab/rule-proposals.service.ts';
import { ShadowReportsService } from './rule-lab/shadow-reports.service.ts';
import { SignerGroupsService } from './rules/signer-groups.service.ts';
import { SoftwarePoliciesService, WritableSoftwarePolicies } from './software-policies/software-policies.service.ts';
import { StatisticsService } from './requests/statistics.service.ts';
import { ToolActionsService } from './requests/tool-actions.service.ts';
import {
  ApprovalPolicyController,
  EscalationPolicyController,
  JustificationPolicyController,
  OrgConfigController,
  ToolsController,
} from './settings/settings.controller.ts';
import { SettingsService } from './settings/settings.service.ts';
import { toolCatalogProvider, ToolsService } from './settings/tools.service.ts';
import { ApprovalQuestionsRepository } from './approvals/approval-questions.repository.ts';
import { ApprovalsController } from './approvals/approvals.controller.ts';
import { ApprovalsRepository } from './approvals/approvals.repository.ts';
import { RequestApprovals } from './approvals/request-approvals.ts';
import { ApprovalDecisionsController } from './approvals/approval-decisions.controller.ts';
import { CastVote } from './approvals/cast-vote.ts';
import { DecideRequest } from './approvals/decide-request.ts';
import { DecisionsController } from './approvals/decisions.controller.ts';
import { VotesRepository } from './approvals/votes.repository.ts';
import { CommandQueueRepository } from './requests/command-queue.repository.ts';
import { DevicesRepository } from './tenants/devices.repository.ts';
import { ElevationRequestsController, StatisticsController } from './requests/elevation-requests.controller.ts';
import { ElevationRequestsRepository } from './requests/elevation-requests.repository.ts';
import { RequestCountsRepository } from './requests/request-counts.repository.ts';
import { RequestHistoryRepository } from './requests/request-history.repository.ts';
import { SearchedRequestsRepository } from './requests/searched-requests.repository.ts';
import { EscalateRequests } from './approvals/escalate-requests.ts';
import { EscalationsRepository } from './approvals/escalations.repository.ts';
import { ExpireElevations } from './approvals/expire-elevations.ts';
import { ExpiryRepository } from './approvals/expiry.repository.ts';
import { ExplainRequest } from './requests/explain-request.ts';
import { ExplainedPlaces } from './requests/explained-places.ts';
import { ExplainedRequestsRepository } from './requests/explained-requests.repository.ts';
import { ExplainedRulebooks } from './requests/explained-rulebooks.ts';
import { ExplanationsController } from './requests/explanations.controller.ts';
import { ExpireFreezes } from './freezes/expire-freezes.ts';
import { FollowUpFreezes } from './freezes/follow-up-freezes.ts';
import { FreezeWorkRepository } from './freezes/freeze-work.repository.ts';
import { FreezesController } from './freezes/freezes.controller.ts';
import { FreezesRepository } from './freezes/freezes.repository.ts';
import { CountElevations } from './tenants/count-elevations.ts';
import { OrganizationFiguresRepository, OrganizationsRepository } from './tenants/organizations.repository.ts';
import { HiddenOrganizationsRepository } from './tenants/hidden-organizations.repository.ts';
import { Owners } from './tenants/owners.ts';
import { PolicyTargetsRepository } from './tenants/policy-targets.repository.ts';
import { PolicyTargets } from './tenants/policy-targets.ts';
import { PerformReplay } from './rule-lab/perform-replay.ts';
import { ReplayWorkRepository } from './rule-lab/replay-work.repository.ts';
import { RunReplays } from './rule-lab/run-replays.ts';
import { ApplyReplay } from './rule-lab/apply-replay.ts';
import { ReplayResultsController, ReplaysController } from './rule-lab/replays.controller.ts';
import { ReplaysRepository } from './rule-lab/replays.repository.ts';
import { StoreRuleset } from './rule-lab/store-ruleset.ts';
import { InputReaders } from './requests/input-readers.repository.ts';
import { RequestTransitionsRepository } from './requests/request-transitions.repository.ts';
import { Candidates } from './rule-lab/candidates.ts';
import { FinalNumbers } from './rule-lab/final-numbers.ts';
import { CopyRule } from './rules/copy-rule.ts';
import {
  RuleCopiesController,
  RuleLintController,
  RuleOrderController,
  RulesController,
  RuleUsageController,
} from './rules/rules.controller.ts';
import { NotifyRuleExpiry } from './rules/notify-rule-expiry.ts';
import { RuleExpiryRepository, RulesRepository, RuleUsageRepository } from './rules/rules.repository.ts';
import { LintSourceRepository } from './rules/lint-source.repository.ts';
import { RuleOptOutsController } from './rules/rule-opt-outs.controller.ts';
import { RuleOptOutsRepository } from './rules/rule-opt-outs.repository.ts';
import { HistoryRepository } from './rule-lab/history.repository.ts';
import {
  RulePreviewController,
  RuleProposalsController,
  ShadowReportsController,
} from './rule-lab/rule-preview.controller.ts';
import { PartnerRulesRepository } from './rules/partner-rules.repository.ts';
import { WritableRules } from './rules/writable-rules.ts';
import { ShadowHitsRepository } from './rule-lab/shadow-hits.repository.ts';
import { SignerGroupsController } from './rules/signer-groups.controller.ts';
import { SignerGroupsRepository } from './rules/signer-groups.repository.ts';
import { WritableSignerGroups } from './rules/writable-signer-groups.ts';
import { SoftwarePoliciesController } from './software-policies/software-policies.controller.ts';
import { SoftwarePoliciesRepository } from './software-policies/software-policies.repository.ts';
import { StatisticsRepository } from './requests/statistics.repository.ts';
import { LockedRulebooks } from './requests/locked-rulebooks.ts';
import { SubmissionController } from './requests/submission.controller.ts';
import { SubmissionsRepository } from './requests/submissions.repository.ts';
import { SubmitRequest } from './requests/submit-request.ts';
import { pamTenantData } from './tenants/pam-tenant-data.repository.ts';
import { ErrorTracking } from './rules/error-tracking.ts';
import { WarnOnTierDrift } from './rules/warn-on-tier-drift.ts';
import { ToolActionsController } from './requests/tool-actions.controller.ts';
import { ToolActionsRepository } from './requests/tool-actions.repository.ts';

const requests = {
  controllers: [
    ActuationController,
    ElevationRequestsController,
    ExplanationsController,
    StatisticsController,
    SubmissionController,
    ToolActionsController,
  ],
  providers: [
    ActuateElevation,
    CommandQueueRepository,
    ElevationRequestsService,
    ElevationRequestsRepository,
    RequestHistoryRepository,
    SearchedRequestsRepository,
    RequestCountsRepository,
    ElevationCountsRepository,
    ExplainRequest,
    ExplanationsService,
    ExplainedPlaces,
    ExplainedRequestsRepository,
    ExplainedRulebooks,
    RequestTransitionsRepository,
    InputReaders,
    StatisticsService,
    StatisticsRepository,
    SubmitRequest,
    SubmissionsRepository,
    LockedRulebooks,
    CompiledRulebooks,
    ToolActionsService,
    ToolActionsRepository,
  ],
};

const settings = {
  controllers: [
    ApprovalPolicyController,
    EscalationPolicyController,
    JustificationPolicyController,
    OrgConfigController,
    ToolsController,
  ],
  providers: [SettingsService, toolCatalogProvider, ToolsService],
};

const approvals = {
  controllers: [ApprovalsController, DecisionsController, ApprovalDecisionsController],
  providers: [
    RequestApprovals,
    ApprovalsService,
    ApprovalsRepository,
    ApprovalQuestionsRepository,
    DecideRequest,
    CastVote,
    VotesRepository,
    DecisionsService,
    EscalateRequests,
    EscalationsRepository,
    ExpireElevations,
    ExpiryRepository,
  ],
};

const tenants = {
  providers: [
    DevicesRepository,
    CountElevations,
    OrganizationFiguresRepository,
    OrganizationsRepository,
    HiddenOrganizationsRepository,
    Owners,
    PolicyTargets,
    PolicyTargetsRepository,
  ],
};

const freezes = {
  controllers: [FreezesController],
  providers: [FreezesService, ExpireFreezes, FollowUpFreezes, FreezeTargets, FreezesRepository, FreezeWorkRepository],
};

const ruleLab = {
  controllers: [
    ReplaysController,
    ReplayResultsController,
    RulePreviewController,
    RuleProposalsController,
    ShadowReportsController,
  ],
  providers: [
    RunReplays,
    PerformReplay,
    ReplayWorkRepository,
    ReplaysService,
    ApplyReplay,
    StoreRuleset,
    FinalNumbers,
    ReplaysRepository,
    RulebookRepository,
    Candidates,
    SignerGroupsRepository,
    RulePreviewService,
    HistoryRepository,
    RuleProposalsService,
    ShadowReportsService,
    ShadowHitsRepository,
  ],
};

const rules = {
  controllers: [
    RuleCopiesController,
    RuleLintController,
    RuleOptOutsController,
    RuleOrderController,
    RuleUsageController,
    RulesController,
    SignerGroupsController,
  ],
  providers: [
    CopyRule,
    NotifyRuleExpiry,
    RuleExpiryRepository,
    RuleLintService,
    RuleLinter,
    LintSourceRepository,
    RuleOptOutsService,
    RuleOptOutsRepository,
    RuleOrderService,
    RuleUsageService,
    RuleUsageRepository,
    CountRuleUse,
    RulesService,
    WritableRules,
    RulesRepository,
    PartnerRulesRepository,
    SignerGroupsService,
    WritableSignerGroups,
    WarnOnTierDrift,
    ErrorTracking,
  ],
};

const softwarePolicies = {
  controllers: [SoftwarePoliciesController],
  providers: [SoftwarePoliciesService, WritableSoftwarePolicies, SoftwarePoliciesRepository],
};

@Module({
  imports: [PamReadModelsModule, UninstallModule, TenantDataModule.with(pamTenantData)],
  controllers: [
    ...requests.controllers,
    ...settings.controllers,
    ...approvals.controllers,
    ...freezes.controllers,
    ...ruleLab.controllers,
    ...rules.controllers,
    ...softwarePolicies.controllers,
  ],
  providers: [
    ...requests.providers,
    ...settings.providers,
    ...approvals.providers,
    ...tenants.providers,
    ...freezes.providers,
    ...ruleLab.providers,
    ...rules.providers,
    ...softwarePolicies.providers,
  ],
})
export class AppModule {}
