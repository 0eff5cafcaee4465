export { comeBack, playFleet, type FleetCounters, type FleetPlan, type Returned } from './fleet.ts';
export { promptNumber, type Prompt } from './simulated-agent.ts';
export { SimulatedAgent, type AgentOptions, type SimulatedEnrolment } from './simulated-agent.ts';
export { AgentConnection, AgentRefused, backOffMs } from '@gatehouse/agent';
