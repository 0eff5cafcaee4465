export { Agent, type AgentIdentity } from './agent.ts';
export { AgentConnection, backOffMs, type AgentAnswer, type ConnectionOptions } from './connection.ts';
export { decideOffline, offlineVerdict } from './offline/decide-offline.ts';
export {
  isOutdated,
  isUsable,
  keptRules,
  type KeptRules,
  type OfflineClaims,
  type OfflineVerdict,
  verifiedClaims,
} from './offline/document.ts';
export { withFinalPaths } from './agent.ts';
export { AgentRefused } from './agent.ts';
export type {
  AgentCommand,
  AgentConfiguration,
  CommandResult,
  ConsentPrompt,
  Enrolment,
  Inventory,
  ReportAnswer,
  ReportedRequest,
} from './protocol.ts';
export { PROTOCOL_VERSION } from './protocol.ts';
