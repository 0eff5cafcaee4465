import type { RunningProduct } from '@gatehouse/stack';
import { buildRelease, previousRevision } from '@gatehouse/testing/previous-release';
import { startChild } from './child.ts';
import { drive } from './drive.ts';
import { reportsOf } from './ingest.ts';
import { measureLightly } from './light-load.ts';
import { UNLIMITED } from './login.ts';
import { type BenchOptions, fine, median, repeated, say, whole } from './command-line.ts';
import { type OidcProvider, organizationWithProvider, signInThroughProvider } from './people.ts';
import { costSince, cpuUse } from './processes.ts';
import { untilQuiet, withProduct } from './product.ts';
import { driveResponses, openQueue, PENDING_PER_SECOND, type QueueWorld, read, READS, respond } from './queue.ts';
import { makeTenant } from './tenant.ts';

const DEVICES = 50;
const CLIENTS = 16;
/** The code of a sign-in is fully compiled only after some thousands of runs. */
const WARM_UP_ROUNDS = 4;
const SHOWN_PARTS = 4;

interface Answers {
  readonly perSecond: number;
  readonly answered: number;
  readonly failures: number;
}

/** What is sent to each version, by name. */
type Kinds = Readonly<Record<string, () => Promise<Answers>>>;

interface Version {
  readonly product: RunningProduct;
  readonly queue: QueueWorld;
  readonly kinds: Kinds;
}

interface Round {
  readonly perSecond: number;
  readonly cpuMs: number;
  /** The same by process. */
  readonly parts: ReadonlyMap<string, number>;
  readonly failures: number;
}

async function versionOf(product: RunningProduct, provider: OidcProvider, options: BenchOptions): Promise<Version> {
  const { seconds } = options;
  const tenant = await makeTenant(product, DEVICES);
  const orgId = await organizationWithProvider(tenant.admin, tenant.partnerId, provider);
  const queue = await openQueue(product, tenant, options);
  const signIn = (client: number): Promise<unknown> =>
    signInThroughProvider({ baseUrl: product.baseUrl, orgId, email: `ada+${client}@acme.example` });
  const list = READS['list, page 1'];
  const kinds = {
    'agent report': () => measureLightly(reportsOf(product.baseUrl, tenant, { seconds })),
    'OIDC sign-in': () => drive({ seconds, clients: CLIENTS, once: signIn }),
    'list of requests': () => drive({ seconds, clients: CLIENTS, once: () => read(queue, list) }),
    decision: async () => {
      const ids = await queue.rows.pending(PENDING_PER_SECOND * seconds);
      return driveResponses(ids, seconds, (id) => respond(queue, id));
    },
  };
  return { product, queue, kinds };
}

async function round({ product, kinds }: Version, kind: string): Promise<Round> {
  await untilQuiet(product);
  const before = cpuUse(product);
  const { perSecond, answered, failures } = (await kinds[kind]?.()) ?? { perSecond: 0, answered: 0, failures: 0 };
  await untilQuiet(product);
  const { ours, postgres, parts } = costSince(product, before, answered);
  return { perSecond, cpuMs: ours + postgres, parts: new Map(parts), failures };
}

interface Pair {
  readonly now: Round;
  readonly before: Round;
}

/** The processes whose CPU differs most between the versions, in milliseconds for each request. */
function differences(pairs: readonly Pair[]): string {
  const names = new Set(pairs.flatMap(({ now, before }) => [...now.parts.keys(), ...before.parts.keys()]));
  return [...names]
    .map((name) => {
      const more = median(pairs.map(({ now, before }) => (now.parts.get(name) ?? 0) - (before.parts.get(name) ?? 0)));
      return { name, more };
    })
    .sort((one, other) => Math.abs(other.more) - Math.abs(one.more))
    .slice(0, SHOWN_PARTS)
    .map(({ name, more }) => `${name} ${more > 0 ? '+' : ''}${fine(more)}`)
    .join(', ');
}

/** Both versions work at the same time: what else the machine does costs both the same. */
async function compare(now: Version, before: Version, { rounds }: BenchOptions): Promise<void> {
  for (const kind of Object.keys(now.kinds)) {
    const both = [now, before] as const;
    for (const { queue } of both) await queue.rows.analyze();
    await repeated(WARM_UP_ROUNDS, () => Promise.all(both.map(({ kinds }) => kinds[kind]?.())));
    const pairs = await repeated(rounds, async (): Promise<Pair> => {
      const [first, second] = await Promise.all([round(now, kind), round(before, kind)]);
      return { now: first, before: second };
    });
    const mid = (value: (pair: Pair) => number): number => median(pairs.map(value));
    const failures = pairs.reduce((sum, pair) => sum + pair.now.failures + pair.before.failures, 0);
    say(`${kind}:
  before ${whole(mid((pair) => pair.before.perSecond))}/s, ${fine(mid((pair) => pair.before.cpuMs))} CPU ms each
  now    ${whole(mid((pair) => pair.now.perSecond))}/s, ${fine(mid((pair) => pair.now.cpuMs))} CPU ms each
  ratio  ${fine(mid((pair) => pair.now.perSecond / pair.before.perSecond))}, CPU ${fine(mid((pair) => pair.now.cpuMs / pair.before.cpuMs))}, ${failures} failures
  CPU    ${differences(pairs)}`);
  }
}

/** This version and an earlier one, each a product of its own with one replica of each service, in one run. */
export async function benchVersions(options: BenchOptions): Promise<void> {
  const revision = previousRevision(options.before || undefined);
  if (revision === null) throw new Error('the history of this checkout does not hold the version to compare with');
  const checkout = await buildRelease(revision);
  const provider = await startChild<OidcProvider>('./dev-idp-child.js');
  const settings = {
    RATE_LIMITS: `agentReport=1000000/1,${UNLIMITED}`,
    EGRESS_ALLOW_HOSTS: new URL(provider.ready.issuer).host,
    EGRESS_ALLOW_HTTP: 'true',
  };
  const open = (product: RunningProduct): Promise<Version> => versionOf(product, provider.ready, options);
  const runBeside = (now: Version): Promise<void> =>
    withProduct(settings, async (product) => compare(now, await open(product), options), 1, checkout);
  try {
    await withProduct(settings, async (product) => runBeside(await open(product)), 1);
  } finally {
    await provider.stop();
  }
}
