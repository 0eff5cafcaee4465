import { promptNumber, type SimulatedAgent } from './simulated-agent.ts';

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
