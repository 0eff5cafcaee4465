import { Agent, AgentConnection } from '@gatehouse/agent';
import { comeBack, SimulatedAgent } from '@gatehouse/agent-sim';
import { performance } from 'node:perf_hooks';
import { serveParent } from './child.ts';
import type { Device } from './tenant.ts';

/** The result of a fleet's return. */
export interface Return {
  readonly seconds: number;
  /** The number of different ids in the answers. */
  readonly reports: number;
  readonly disagreements: number;
  readonly turnedAway: number;
}

const [baseUrl = '', orgId = '', siteId = '', queued = '0', devices = '[]'] = process.argv.slice(2);
let turnedAway = 0;
const door = new AgentConnection({ baseUrl, patienceMs: 120_000, onRetry: () => turnedAway++ });
const agents = (JSON.parse(devices) as Device[]).map(
  ({ id, token }, at) =>
    new SimulatedAgent(new Agent(door, { deviceId: id, agentToken: token, orgId, siteId, hostname: `bench-${at}` })),
);
const since = performance.now();
const { ids, disagreements } = await comeBack(agents, Number(queued));
serveParent({
  seconds: (performance.now() - since) / 1000,
  reports: ids.length,
  disagreements,
  turnedAway,
} satisfies Return);
