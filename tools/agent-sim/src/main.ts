import { parseArgs } from 'node:util';
import { AgentConnection } from '@gatehouse/agent';
import { playFleet } from './fleet.ts';
import { promptNumber, SimulatedAgent } from './simulated-agent.ts';

const USAGE = `usage: agent-sim --key=<enrollment key> [--url http://localhost:3000] [--hostname NAME] [--reports 1] [--seconds 60]
       agent-sim --key=<enrollment key> --fleet <agents> --rate <reports per second> --seconds <s> [--quiet]`;

function refuse(reason: string): never {
  process.stderr.write(`agent-sim: ${reason}\n\n${USAGE}\n`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        url: { type: 'string', default: process.env['BASE_URL'] ?? 'http://localhost:3000' },
        key: { type: 'string', default: process.env['ENROLLMENT_KEY'] ?? '' },
        hostname: { type: 'string', default: `SIM-${process.pid}` },
        reports: { type: 'string', default: '1' },
        seconds: { type: 'string', default: '60' },
        fleet: { type: 'string' },
        rate: { type: 'string', default: '10' },
        quiet: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error));
  }
}

/** @param isAllowed of a number that is finite */
function numberOf(option: 'reports' | 'seconds' | 'fleet' | 'rate', isAllowed: (value: number) => boolean): number {
  const value = Number(values[option]);
  if (!Number.isFinite(value) || !isAllowed(value)) refuse(`--${option} ${values[option]} is out of range`);
  return value;
}
const isCount = (value: number): boolean => Number.isInteger(value) && value > 0;

const { values } = readArguments();
if (values.help) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}
if (!values.key) refuse('--key is needed');
if (!URL.canParse(values.url)) refuse(`--url ${values.url} is no address`);
const plan = {
  reports: numberOf('reports', (value) => value === 0 || isCount(value)),
  seconds: numberOf('seconds', (value) => value > 0),
  rate: numberOf('rate', (value) => value > 0),
  agents: values.fleet === undefined ? null : numberOf('fleet', isCount),
};

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const log = values.quiet ? undefined : print;
const door = new AgentConnection({
  baseUrl: values.url.replace(/\/$/, ''),
  signal: stop.signal,
  onRetry: (reason, delayMs) => log?.(`  ${reason}; again in ${delayMs} ms`),
});

async function fleet(agents: number): Promise<number> {
  const counters = await playFleet(door, { ...plan, agents, enrollmentKey: values.key }, { log });
  print(JSON.stringify(counters));
  return counters.lost > 0 || counters.failed > 0 ? 1 : 0;
}

async function single(): Promise<number> {
  const agent = await SimulatedAgent.enroll(door, { enrollmentKey: values.key, hostname: values.hostname }, { log });
  const byStatus: Record<string, number> = {};
  for (let n = 0; n < plan.reports; n += 1) {
    const { status } = await agent.report(promptNumber(n));
    byStatus[status] = (byStatus[status] ?? 0) + 1;
  }
  log?.('waiting for commands; Ctrl-C ends');
  await agent.serve(AbortSignal.any([stop.signal, AbortSignal.timeout(plan.seconds * 1000)]));
  print(JSON.stringify({ byStatus, commands: agent.obeyed.length }));
  return 0;
}

try {
  process.exitCode = plan.agents === null ? await single() : await fleet(plan.agents);
} catch (error) {
  print(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
