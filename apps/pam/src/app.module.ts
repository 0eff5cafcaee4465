import { PamReadModelsModule, UninstallModule } from '@gatehouse/pam-store';
import { TenantDataModule } from '@gatehouse/tenant-data';
import { Module } from '@nestjs/common';
import { ActuationModule } from './actuation/actuation.module.ts';
import { ApprovalPolicyModule } from './approval-policy/approval-policy.module.ts';
import { ApprovalsModule } from './approvals/approvals.module.ts';
import { DecisionsModule } from './decisions/decisions.module.ts';
import { ElevationRequestsModule } from './elevation-requests/elevation-requests.module.ts';
import { ExplanationsModule } from './explanations/explanations.module.ts';
import { EscalationModule } from './escalation/escalation.module.ts';
import { EscalationPolicyModule } from './escalation-policy/escalation-policy.module.ts';
import { ExpiryModule } from './expiry/expiry.module.ts';
import { FreezesModule } from './freezes/freezes.module.ts';
import { JustificationPolicyModule } from './justification-policy/justification-policy.module.ts';
import { OrgConfigModule } from './org-config/org-config.module.ts';
import { OrganizationFiguresModule } from './organization-figures/organization-figures.module.ts';
import { RuleCopiesModule } from './rule-copies/rule-copies.module.ts';
import { RuleExpiryModule } from './rule-expiry/rule-expiry.module.ts';
import { RuleLintModule } from './rule-lint/rule-lint.module.ts';
import { RuleOptOutsModule } from './rule-opt-outs/rule-opt-outs.module.ts';
import { RuleOrderModule } from './rule-order/rule-order.module.ts';
import { ReplayJobsModule } from './replay-jobs/replay-jobs.module.ts';
import { ReplaysModule } from './replays/replays.module.ts';
import { RulePreviewModule } from './rule-preview/rule-preview.module.ts';
import { RuleProposalsModule } from './rule-proposals/rule-proposals.module.ts';
import { RuleUsageModule } from './rule-usage/rule-usage.module.ts';
import { RulesModule } from './rules/rules.module.ts';
import { ShadowReportsModule } from './shadow-reports/shadow-reports.module.ts';
import { SignerGroupsModule } from './signer-groups/signer-groups.module.ts';
import { SoftwarePoliciesModule } from './software-policies/software-policies.module.ts';
import { StatisticsModule } from './statistics/statistics.module.ts';
import { pamTenantData } from './tenant-data/pam-tenant-data.ts';
import { SubmissionModule } from './submission/submission.module.ts';
import { TierDriftModule } from './tier-drift/tier-drift.module.ts';
import { ToolActionsModule } from './tool-actions/tool-actions.module.ts';

@Module({
  imports: [
    ElevationRequestsModule,
    SubmissionModule,
    DecisionsModule,
    ToolActionsModule,
    ApprovalsModule,
    ActuationModule,
    ExpiryModule,
    FreezesModule,
    ExplanationsModule,
    RulesModule,
    RuleCopiesModule,
    RuleExpiryModule,
    RuleLintModule,
    RuleOptOutsModule,
    RuleOrderModule,
    RuleProposalsModule,
    RuleUsageModule,
    RulePreviewModule,
    ReplaysModule,
    ReplayJobsModule,
    ShadowReportsModule,
    TierDriftModule,
    SignerGroupsModule,
    SoftwarePoliciesModule,
    OrgConfigModule,
    ApprovalPolicyModule,
    JustificationPolicyModule,
    EscalationPolicyModule,
    EscalationModule,
    OrganizationFiguresModule,
    StatisticsModule,
    PamReadModelsModule,
    UninstallModule,
    TenantDataModule.with(pamTenantData),
  ],
})
export class AppModule {}
