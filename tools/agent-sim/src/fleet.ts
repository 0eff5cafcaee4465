import type { AgentConnection, ReportAnswer } from '@gatehouse/agent';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AgentOptions, type Prompt, promptNumber, SimulatedAgent } from './simulated-agent.ts';

export interface FleetPlan {
  readonly enrollmentKey: string;
  readonly agents: number;
  /** Reports per second of the whole fleet, sent whether or not earlier ones were answered. */
  readonly rate: number;
  readonly seconds: number;
  readonly hostnamePrefix?: string;
}

export interface FleetCounters {
  reported: number;
  failed: number;
  readonly byStatus: Record<string, number>;
  /** Acknowledged reports that the product no longer knows. */
  lost: number;
  commands: number;
}

interface Acknowledged {
  readonly agent: SimulatedAgent;
  readonly prompt: Prompt;
  readonly answer: ReportAnswer;
}

const ENROL_AT_ONCE = 10;
const CHECK_AT_ONCE = 20;
/** The product recognises a repetition for 15 minutes; the last one is left for the check itself. */
const RECOGNISED_MS = 14 * 60_000;

/**
 * Plays a fleet: enrols, reports at a steady rate, obeys commands at the same time, and at the end looks for lost
 * reports.
 */
export async function playFleet(
  door: AgentConnection,
  plan: FleetPlan,
  options: AgentOptions = {},
): Promise<FleetCounters> {
  const prefix = plan.hostnamePrefix ?? `SIM-${Date.now().toString(36).toUpperCase()}`;
  const names = Array.from({ length: plan.agents }, (_, index) => `${prefix}-${String(index + 1).padStart(4, '0')}`);
  const agents = await inParallel(names, ENROL_AT_ONCE, (hostname) =>
    SimulatedAgent.enroll(door, { enrollmentKey: plan.enrollmentKey, hostname }, options),
  );
  const counters: FleetCounters = { reported: 0, failed: 0, byStatus: {}, lost: 0, commands: 0 };
  const stop = new AbortController();
  const serving = agents.map((agent) =>
    agent.serve(stop.signal, 1).catch((error: unknown) => options.log?.(String(error))),
  );
  const acknowledged = await reportSteadily(agents, plan, counters, options);
  stop.abort();
  await Promise.all(serving);
  counters.commands = agents.reduce((sum, agent) => sum + agent.obeyed.length, 0);
  counters.lost = await countLost(acknowledged, options);
  return counters;
}

async function reportSteadily(
  agents: readonly SimulatedAgent[],
  { rate, seconds }: FleetPlan,
  counters: FleetCounters,
  { log }: AgentOptions,
): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  const underway: Promise<void>[] = [];
  const begun = Date.now();
  const total = Math.round(rate * seconds);
  const reportOne = async (n: number) => {
    const agent = agents[n % agents.length];
    if (!agent) return;
    const prompt = promptNumber(n);
    try {
      const answer = await agent.report(prompt);
      counters.reported += 1;
      counters.byStatus[answer.status] = (counters.byStatus[answer.status] ?? 0) + 1;
      if (answer.id !== null) acknowledged.push({ agent, prompt, answer });
    } catch (error) {
      counters.failed += 1;
      log?.(String(error));
    }
  };
  for (let n = 0; n < total; n += 1) {
    await sleep(begun + (n * 1000) / rate - Date.now());
    underway.push(reportOne(n));
  }
  await Promise.all(underway);
  return acknowledged;
}

/** A repeated report is answered with the id of the first: another id means that the first is gone. */
async function countLost(acknowledged: readonly Acknowledged[], { log }: AgentOptions): Promise<number> {
  const checkable = acknowledged.filter(({ prompt }) => Date.now() - Date.parse(prompt.observed_at) < RECOGNISED_MS);
  const checks = await inParallel(checkable, CHECK_AT_ONCE, async ({ agent, prompt, answer }) => {
    const again = await agent.report(prompt);
    if (again.id !== answer.id)
      log?.(`lost: ${answer.id ?? ''} of ${agent.identity.hostname} is now ${again.id ?? 'ignored'}`);
    return again.id === answer.id;
  });
  return checks.filter((isKnown) => !isKnown).length;
}

async function inParallel<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}

/** Every so many reports the answer is taken for lost: the report is sent twice at once. */
const SENT_TWICE_EVERY = 5;
/** Reports that an agent has under way at once. */
const AT_ONCE = 5;

export interface Returned {
  /** One id for each report, in no order. */
  readonly ids: readonly string[];
  /** Reports whose two sendings were answered with different ids. */
  readonly disagreements: number;
}

/** An outage is over: all agents are back at once, and each reports the prompts of the outage. */
export async function comeBack(agents: readonly SimulatedAgent[], queued: number): Promise<Returned> {
  const ids: string[] = [];
  let disagreements = 0;
  const handIn = async (agent: SimulatedAgent, lane: number): Promise<void> => {
    for (let n = lane; n < queued; n += AT_ONCE) {
      const observed = new Date(Date.now() - 3_600_000 + n * 1000).toISOString();
      const prompt = promptNumber(n, {
        command_line: `tool.exe --queued ${agent.identity.deviceId} ${n}`,
        observed_at: observed,
      });
      const sendings = n % SENT_TWICE_EVERY === 0 ? 2 : 1;
      const [first, second] = await Promise.all(Array.from({ length: sendings }, () => agent.report(prompt)));
      ids.push(first?.id ?? '');
      if (second && second.id !== first?.id) disagreements++;
    }
  };
  await Promise.all(agents.flatMap((agent) => Array.from({ length: AT_ONCE }, (_, lane) => handIn(agent, lane))));
  return { ids, disagreements };
}
