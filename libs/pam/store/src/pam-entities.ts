import { DeviceCommandEntity } from './commands/device-command.entity.ts';
import { EscalationPolicyEntity } from './escalation/escalation-policy.entity.ts';
import { FreezeEntity } from './freezes/freeze.entity.ts';
import { IgnoredCountEntity } from './ignored/ignored-count.entity.ts';
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
import { PartnerRuleUseEntity, RuleUseEntity } from './rule-use/rule-use.entity.ts';
import { ReportReceiptEntity } from './reports/report-receipt.entity.ts';
import { ApprovalEntity, ApprovalQuestionEntity } from './requests/approval.entities.ts';
import { ElevationCountEntity } from './requests/elevation-counts.entities.ts';
import { ElevationVoteEntity } from './requests/elevation-vote.entity.ts';
import { ElevationRequestEntity } from './requests/elevation-request.entity.ts';
import { RulebookInstantEntity, RulebookPartEntity } from './rulebooks/rulebook-memory.entities.ts';
import { ApprovalPolicyEntity } from './rulebooks/approval-policy.entity.ts';
import { JustificationPolicyEntity } from './justification/justification-policy.entity.ts';
import { ShadowIgnoredEntity } from './shadow/shadow-ignored.entity.ts';
import {
  PamConfigEntity,
  PamRuleEntity,
  RulebookVersionEntity,
  RuleOptOutEntity,
  SignerGroupEntity,
  SoftwarePolicyEntity,
} from './rulebooks/rulebook.entities.ts';

/** The tables of the database, except those without a primary key. */
export const PAM_ENTITIES = [
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
