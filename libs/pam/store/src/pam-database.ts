import {
  type DatabaseDefinition,
  FoldedNameFunction1700000000003,
  ProviderEnds1800000007100,
} from '@gatehouse/database';
import { TENANT_REF_ENTITIES, TENANT_TASK_ENTITIES, TenantTasksSchema1700000000002 } from '@gatehouse/tenant-data';
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
import { Baseline1800000004530 } from './migrations/baseline.ts';
import * as sinceBaseline from './migrations/since-baseline.ts';
import {
  DeviceRefEntity,
  GroupRefEntity,
  PushReachEntity,
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
  PamConfigEntity,
  PamRuleEntity,
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
  SoftwarePolicyEntity,
  TechnicianReachEntity,
  TechnicianRefEntity,
];

/** The database that `pam` and `pam-ingest` share (DATABASE_URL_PAM); `pam` migrates it. */
export const pamDatabase: DatabaseDefinition = {
  name: 'pam',
  entities: [...TENANT_TASK_ENTITIES, ...TENANT_REF_ENTITIES, ...PAM_ENTITIES],
  migrations: [
    TenantTasksSchema1700000000002,
    FoldedNameFunction1700000000003,
    Baseline1800000004530,
    ...Object.values(sinceBaseline),
    ProviderEnds1800000007100,
  ],
};
