export { AgentDoor, backOffMs, type Answer, type DoorOptions } from './agent-door.ts';
export { comeBack, type Returned } from './come-back.ts';
export { playFleet, type FleetCounters, type FleetPlan } from './fleet.ts';
export { promptNumber, type Prompt } from './prompts.ts';
export {
  AgentRefused,
  SimulatedAgent,
  type AgentOptions,
  type Command,
  type CommandResult,
  type Enrolment,
  type Identity,
  type Reported,
} from './simulated-agent.ts';
