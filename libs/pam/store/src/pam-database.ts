import { type DatabaseDefinition, FoldedNameFunction1700000000003 } from '@gatehouse/database';
import { TENANT_TASK_ENTITIES, TenantTasksSchema1700000000002 } from '@gatehouse/tenant-data';
import { DeviceCommandEntity } from './commands/device-commands.repository.ts';
import {
  ApprovalPolicyEntity,
  EscalationPolicyEntity,
  JustificationPolicyEntity,
  PamConfigEntity,
  PamRuleEntity,
  RulebookVersionEntity,
  RuleOptOutEntity,
  SignerGroupEntity,
  SoftwarePolicyEntity,
} from './rulebooks/rulebook.entities.ts';
import { FreezeEntity } from './freezes/freeze.entity.ts';
import { IgnoredCountEntity } from './ignored/ignored-counts.repository.ts';
import { PamSchema1800000004001 } from './migrations/1800000004001-pam-schema.ts';
import { ElevationCounts1800000004002 } from './migrations/1800000004002-elevation-counts.ts';
import { GroupRefs1800000004003 } from './migrations/1800000004003-group-refs.ts';
import { DeviceVersions1800000004004 } from './migrations/1800000004004-device-versions.ts';
import { ApprovalQuestions1800000004005 } from './migrations/1800000004005-approval-questions.ts';
import { BoundedAsking1800000004021 } from './migrations/1800000004021-bounded-asking.ts';
import { AgentProtocol21800000004171 } from './migrations/1800000004171-agent-protocol-2.ts';
import { RequestHistory1800000004181 } from './migrations/1800000004181-request-history.ts';
import { RulebookMemory1800000004201 } from './migrations/1800000004201-rulebook-memory.ts';
import { ApprovalVotes1800000004211 } from './migrations/1800000004211-approval-votes.ts';
import { Freezes1800000004221 } from './migrations/requests/1800000004221-freezes.ts';
import { IgnoredCounts1800000004222 } from './migrations/requests/1800000004222-ignored-counts.ts';
import { FunctionsWithoutGrants1800000004391 } from './migrations/requests/1800000004391-functions-without-grants.ts';
import { OwnPrompts1800000004501 } from './migrations/requests/1800000004501-own-prompts.ts';
import { RuleUse1800000004231 } from './migrations/rules/1800000004231-rule-use.ts';
import { Replays1800000004241 } from './migrations/rules/1800000004241-replays.ts';
import { ShadowHits1800000004242 } from './migrations/rules/1800000004242-shadow-hits.ts';
import { Justification1800000004401 } from './migrations/rules/1800000004401-justification.ts';
import { Escalation1800000004411 } from './migrations/rules/1800000004411-escalation.ts';
import { EscalationStory1800000004412 } from './migrations/rules/1800000004412-escalation-story.ts';
import { PartnerRules1800000004421 } from './migrations/rules/1800000004421-partner-rules.ts';
import { StackedFreezes1800000004511 } from './migrations/rules/1800000004511-stacked-freezes.ts';
import { VotesOfProviders1800000004521 } from './migrations/requests/1800000004521-votes-of-providers.ts';
import { FurtherEditors1800000004512 } from './migrations/rules/1800000004512-further-editors.ts';
import { FairReplays1800000004513 } from './migrations/rules/1800000004513-fair-replays.ts';
import {
  DeviceRefEntity,
  GroupRefEntity,
  OrgRefEntity,
  PartnerRefEntity,
  PushReachEntity,
  SiteRefEntity,
  TechnicianReachEntity,
  TechnicianRefEntity,
} from './read-models/read-models.entities.ts';
import { ReplayChangeEntity, ReplayDeviceEntity, ReplayEntity } from './replays/replay.entities.ts';
import { ElevationRequestEntity, ReportReceiptEntity } from './requests/elevation-request.entity.ts';
import { ApprovalEntity, ApprovalQuestionEntity, ElevationVoteEntity } from './requests/approval.entities.ts';
import { ElevationCountEntity } from './requests/elevation-counts.repository.ts';
import { PartnerRuleUseEntity, RuleUseEntity } from './rule-use/rule-use.repository.ts';
import { RulebookInstantEntity, RulebookPartEntity } from './rulebooks/rulebook-memory.repository.ts';
import { ShadowIgnoredEntity } from './shadow/shadow-ignored.repository.ts';

/** The tables of the database, except those without a primary key. */
const PAM_ENTITIES = [
  ApprovalEntity,
  ApprovalPolicyEntity,
  ApprovalQuestionEntity,
  DeviceCommandEntity,
  DeviceRefEntity,
  ElevationCountEntity,
  ElevationRequestEntity,
  ElevationVoteEntity,
  EscalationPolicyEntity,
  FreezeEntity,
  GroupRefEntity,
  IgnoredCountEntity,
  JustificationPolicyEntity,
  OrgRefEntity,
  PamConfigEntity,
  PamRuleEntity,
  PartnerRefEntity,
  PartnerRuleUseEntity,
  PushReachEntity,
  ReplayChangeEntity,
  ReplayDeviceEntity,
  ReplayEntity,
  ReportReceiptEntity,
  RulebookInstantEntity,
  RulebookPartEntity,
  RuleOptOutEntity,
  RuleUseEntity,
  RulebookVersionEntity,
  ShadowIgnoredEntity,
  SignerGroupEntity,
  SiteRefEntity,
  SoftwarePolicyEntity,
  TechnicianReachEntity,
  TechnicianRefEntity,
];

/** The database that `pam` and `pam-ingest` share (DATABASE_URL_PAM); `pam` migrates it. */
export const pamDatabase: DatabaseDefinition = {
  name: 'pam',
  entities: [...TENANT_TASK_ENTITIES, ...PAM_ENTITIES],
  migrations: [
    TenantTasksSchema1700000000002,
    FoldedNameFunction1700000000003,
    PamSchema1800000004001,
    ElevationCounts1800000004002,
    GroupRefs1800000004003,
    DeviceVersions1800000004004,
    ApprovalQuestions1800000004005,
    BoundedAsking1800000004021,
    AgentProtocol21800000004171,
    RequestHistory1800000004181,
    RulebookMemory1800000004201,
    ApprovalVotes1800000004211,
    Freezes1800000004221,
    IgnoredCounts1800000004222,
    RuleUse1800000004231,
    Replays1800000004241,
    ShadowHits1800000004242,
    FunctionsWithoutGrants1800000004391,
    Justification1800000004401,
    Escalation1800000004411,
    EscalationStory1800000004412,
    PartnerRules1800000004421,
    OwnPrompts1800000004501,
    StackedFreezes1800000004511,
    FurtherEditors1800000004512,
    FairReplays1800000004513,
    VotesOfProviders1800000004521,
  ],
};
