export { Agent, type AgentIdentity } from './agent.ts';
export { AgentConnection, backOffMs, type AgentAnswer, type ConnectionOptions } from './connection.ts';
export { AgentRefused } from './refused.ts';
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
