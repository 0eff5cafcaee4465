import { parseArgs } from 'node:util';
import { AgentConnection } from '@gatehouse/agent';
import { playFleet } from './fleet.ts';
import { promptNumber, SimulatedAgent } from './simulated-agent.ts';

const USAGE = `usage: agent-sim --key=<enrollment key> [--url http://localhost:3000] [--hostname NAME] [--reports 1] [--seconds 60]
       agent-sim --key=<enrollment key> --fleet <agents> --rate <reports per second> --seconds <s> [--quiet]`;

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
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    process.exit(2);
  }
}

const { values } = readArguments();
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
  const plan = { enrollmentKey: values.key, agents, rate: Number(values.rate), seconds: Number(values.seconds) };
  const counters = await playFleet(door, plan, { log });
  print(JSON.stringify(counters));
  return counters.lost > 0 || counters.failed > 0 ? 1 : 0;
}

async function single(): Promise<number> {
  const agent = await SimulatedAgent.enroll(door, { enrollmentKey: values.key, hostname: values.hostname }, { log });
  const byStatus: Record<string, number> = {};
  for (let n = 0; n < Number(values.reports); n += 1) {
    const { status } = await agent.report(promptNumber(n));
    byStatus[status] = (byStatus[status] ?? 0) + 1;
  }
  log?.('waiting for commands; Ctrl-C ends');
  await agent.serve(AbortSignal.any([stop.signal, AbortSignal.timeout(Number(values.seconds) * 1000)]));
  print(JSON.stringify({ byStatus, commands: agent.obeyed.length }));
  return 0;
}

if (values.help || !values.key) {
  print(USAGE);
  process.exit(values.help ? 0 : 2);
}
try {
  process.exitCode = values.fleet ? await fleet(Number(values.fleet)) : await single();
} catch (error) {
  print(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
