export * from './commands/command-feed.ts';
export * from './commands/device-commands.repository.ts';
export * from './commands/queue-uninstall.ts';
export * from './rulebooks/rulebook.entities.ts';
export * from './freezes/freeze.entity.ts';
export * from './ignored/ignored-counts.repository.ts';
export * from './pam-database.ts';
export * from './read-models/maintain-read-models.ts';
export * from './read-models/read-models.entities.ts';
export * from './replays/replay.entities.ts';
export * from './reports/agent-devices.repository.ts';
export * from './reports/report-batch.repository.ts';
export * from './shadow/shadow-ignored.repository.ts';
export * from './requests/approval.entities.ts';
export * from './requests/decision.metrics.ts';
export * from './requests/elevation-counts.repository.ts';
export * from './requests/elevation-request.entity.ts';
export * from './requests/present-sql.repository.ts';
export * from './requests/submitted-request.ts';
export * from './requests/upkeep.repository.ts';
export * from './rulebooks/bump-rulebook.ts';
export * from './rulebooks/compiled-rulebooks.ts';
export {
  DEVICE_EDITORS,
  editorOf,
  FORMER_PLACES,
  type EditRow,
  isLateEdit,
} from './rulebooks/editors-sql.repository.ts';
export * from './justification/justification-sql.repository.ts';

export * from './rulebooks/rulebook-memory.repository.ts';
export * from './rulebooks/rulebook-versions.repository.ts';
export * from './rulebooks/rulebook.repository.ts';
export * from './rule-use/count-rule-use.ts';
export { RuleUseEntity, PartnerRuleUseEntity } from './rule-use/rule-use.repository.ts';
export { RULE_USE } from './rule-use/rule-use.repository.ts';
