import { type ScriptedIdp, startScriptedIdp } from '@gatehouse/dev-idp';
import { connected, type RunningProduct } from '@gatehouse/stack';
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { startChild } from './child.ts';
import { drive, type Driven, medianP99, roundsLine } from './drive.ts';
import { type BenchOptions, fine, median, repeated, say, table, whole } from './command-line.ts';
import {
  invite,
  type OidcProvider,
  organizationWithProvider,
  type Person,
  refresh,
  signInThroughProvider,
  signInWithPassword,
  type Tokens,
} from './people.ts';
import { costSince, type CpuCost, cpuUse, secondsOf } from './processes.ts';
import { untilQuiet, withProduct } from './product.ts';
import { adminUrl, StatementLog } from './statements.ts';
import { makeTenant } from './tenant.ts';

const TABLES = `
  CREATE TABLE bench_attempts (state text PRIMARY KEY, nonce text NOT NULL, verifier text NOT NULL);
  CREATE TABLE bench_people (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), subject text UNIQUE, seen_at timestamptz);
  CREATE TABLE bench_sessions (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), person_id uuid NOT NULL,
    code_hash text UNIQUE, refresh_hash text UNIQUE);
  CREATE TABLE bench_events (id bigserial PRIMARY KEY, subject text NOT NULL, envelope jsonb NOT NULL)`;

interface BareRun {
  readonly driven: Driven;
  /** CPU milliseconds of one sign-in: the server's and PostgreSQL's. */
  readonly cpuMs: number;
}

interface BareOptions {
  readonly product: RunningProduct;
  readonly provider: OidcProvider;
  readonly clients: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly warmUpSeconds: number;
}

/** The same sign-ins at the smallest server that can do them, on the PostgreSQL of the product, which rests. */
async function bareSignIns(options: BareOptions): Promise<BareRun[]> {
  const { product, provider, clients, seconds, rounds, warmUpSeconds } = options;
  const database = adminUrl(product, 'identity');
  await connected(database, (client) => client.query(TABLES));
  const { issuer, clientId, clientSecret } = provider;
  const bare = await startChild<{ url: string }>('./bare-login-child.js', [database, issuer, clientId, clientSecret]);
  const once = (client: number): Promise<unknown> =>
    signInThroughProvider({ baseUrl: bare.ready.url, orgId: 'any', email: `ada+${client}@acme.example` });
  try {
    await drive({ seconds: warmUpSeconds, clients, once });
    return await repeated(rounds, async () => {
      await untilQuiet(product);
      const [before, own] = [cpuUse(product), secondsOf(bare.pid)];
      const driven = await drive({ seconds, clients, once });
      const { postgres } = costSince(product, before, driven.answered);
      return { driven, cpuMs: postgres + ((secondsOf(bare.pid) - own) * 1000) / Math.max(1, driven.answered) };
    });
  } finally {
    await bare.stop();
  }
}

const CLIENTS = 16;
const PASSWORD_PEOPLE = 4;
const COUNTED = 20;
/**
 * How many times longer than a measurement the warm-up takes: the code of a sign-in is fully compiled only after some
 * thousands of runs.
 */
const WARM_UP = 4;
/** So few that a sign-in does not wait in a queue. */
const CALM_CLIENTS = 4;
const HANGING_CLIENTS = 32;
const HANGING_PAUSE_MS = 100;
export const UNLIMITED = ['signInByClient', 'signInByAccount', 'mfa', 'discovery', 'ssoStart']
  .map((name) => `${name}=1000000/1`)
  .join(',');

interface World {
  readonly product: RunningProduct;
  readonly options: BenchOptions;
  /** Signs in at the bundled provider. */
  readonly orgId: string;
  /** Signs in at the provider that can be made to hang. */
  readonly hangingOrgId: string;
  readonly hanging: ScriptedIdp;
  readonly provider: OidcProvider;
  readonly people: readonly Person[];
}

interface Round extends Driven {
  readonly cost: CpuCost;
}

type Journey = (client: number) => Promise<unknown>;

const ssoSignIn =
  ({ product, orgId }: World): ((client: number) => Promise<Tokens>) =>
  (client) =>
    signInThroughProvider({ baseUrl: product.baseUrl, orgId, email: `ada+${client}@acme.example` });

const passwordSignIn =
  ({ product, people }: World): Journey =>
  (client) =>
    signInWithPassword(product.baseUrl, people[client % people.length] ?? { email: '', password: '' });

/** Each client continues with the tokens of its last refresh. */
async function refreshes(world: World): Promise<Journey> {
  const tokens: Tokens[] = [];
  for (let client = 0; client < CLIENTS; client++) tokens.push(await ssoSignIn(world)(client));
  return async (client) => {
    const current = tokens[client];
    if (current) tokens[client] = await refresh(world.product.baseUrl, current);
  };
}

/** Measures after a warm-up and after ANALYZE, which autovacuum would run within a minute on a live system. */
async function measured({ product, options }: World, once: Journey): Promise<Round[]> {
  await drive({ seconds: options.seconds * WARM_UP, clients: CLIENTS, once });
  for (const database of ['identity', 'audit'])
    await connected(adminUrl(product, database), (client) => client.query('ANALYZE'));
  await drive({ seconds: 1, clients: CLIENTS, once });
  return repeated(options.rounds, async () => {
    await untilQuiet(product);
    const before = cpuUse(product);
    const driven = await drive({ seconds: options.seconds, clients: CLIENTS, once });
    await untilQuiet(product);
    return { ...driven, cost: costSince(product, before, driven.answered) };
  });
}

function row(name: string, rounds: readonly Round[]): string[] {
  const mid = (value: (round: Round) => number): number => median(rounds.map(value));
  const cpuMs = mid(cpuOf);
  return [
    name,
    whole(mid(({ perSecond }) => perSecond)),
    whole(1000 / cpuMs),
    fine(mid(({ cost }) => cost.ours)),
    fine(mid(({ cost }) => cost.postgres)),
    fine(mid(({ p50 }) => p50)),
    fine(mid(({ p99 }) => p99)),
    String(rounds.reduce((sum, { failures }) => sum + failures, 0)),
  ];
}

const partsOf = (name: string, rounds: readonly Round[]): string =>
  `CPU ms of one ${name}: ${rounds
    .at(-1)
    ?.cost.parts.map(([part, ms]) => `${part} ${fine(ms)}`)
    .join(', ')}`;

const cpuOf = ({ cost }: Round): number => cost.ours + cost.postgres;

/** By CPU, because the bare server has one process and the product several. */
function sayBare(bare: readonly BareRun[], ours: readonly Round[]): void {
  const [theirs, own] = [median(bare.map(({ cpuMs }) => cpuMs)), median(ours.map(cpuOf))];
  const perSecond = median(bare.map(({ driven }) => driven.perSecond));
  const complaint = bare.find(({ driven }) => driven.complaint)?.driven.complaint;
  say(
    `OIDC sign-ins of the bare server: ${whole(perSecond)}/s, ${fine(theirs)} CPU ms, ${whole(1000 / theirs)} per CPU-second`,
  );
  say(`OIDC sign-ins per CPU-second, ratio to the bare server: ${fine(theirs / own)}`);
  if (complaint) say(`first failure of the bare server: ${complaint}`);
}

async function compareWithBare({ product, options, provider }: World, ours: readonly Round[]): Promise<void> {
  const { seconds, rounds } = options;
  const warmUpSeconds = seconds * WARM_UP;
  sayBare(await bareSignIns({ product, provider, clients: CLIENTS, seconds, rounds, warmUpSeconds }), ours);
}

async function signIns(world: World): Promise<void> {
  const sso = await measured(world, ssoSignIn(world));
  const password = await measured(world, passwordSignIn(world));
  const refreshed = await measured(world, await refreshes(world));
  const head = ['', 'per second', 'per CPU-second', 'CPU ms ours', 'CPU ms PostgreSQL', 'p50 ms', 'p99 ms', 'failures'];
  say(table([head, row('OIDC sign-in', sso), row('password sign-in', password), row('token refresh', refreshed)]));
  say(
    [partsOf('OIDC sign-in', sso), partsOf('password sign-in', password), partsOf('token refresh', refreshed)].join(
      '\n',
    ),
  );
  await compareWithBare(world, sso);
  const complaint = [...sso, ...password, ...refreshed].find((round) => round.complaint)?.complaint;
  if (complaint) say(`first failure: ${complaint}`);
}

/** Each stored hash begins with its parameters. */
async function argon2Cost({ product }: World): Promise<string> {
  const { rows } = await connected(adminUrl(product, 'identity'), (client) =>
    client.query<{ cost: string }>(
      `SELECT substring(password_hash FROM '^\\$(argon2\\w+\\$v=\\d+\\$[^$]+)') AS cost FROM credentials LIMIT 1`,
    ),
  );
  return rows[0]?.cost ?? 'unknown';
}

async function statements(world: World): Promise<void> {
  const once = ssoSignIn(world);
  const { statements, transactions } = await (
    await StatementLog.open(world.product, 'identity')
  ).during(() => repeated(COUNTED, () => once(0)));
  say(
    `statements of a linked user's sign-in: ${fine(statements.length / COUNTED)} in ${fine(transactions / COUNTED)} transactions (PostgreSQL's log, without BEGIN and COMMIT)`,
  );
  say(
    statements
      .slice(-Math.round(statements.length / COUNTED))
      .map((statement) => `  ${statement.slice(0, 110)}`)
      .join('\n'),
  );
}

/** Users of the other tenant sign in repeatedly, and their provider delays them, until stopped. */
async function whileHanging({ product, hangingOrgId, hanging }: World, work: () => Promise<Driven>): Promise<Driven> {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  hanging.always({ token: { hang: true } });
  const wait = async (client: number): Promise<void> => {
    while (!stop.signal.aborted) {
      await signInThroughProvider({
        baseUrl: product.baseUrl,
        orgId: hangingOrgId,
        email: `hung+${client}@acme.example`,
        signal: stop.signal,
      }).catch(() => undefined);
      await pause(HANGING_PAUSE_MS);
    }
  };
  const waiting = Array.from({ length: HANGING_CLIENTS }, (_, client) => wait(client));
  await pause(1000);
  const driven = await work();
  stop.abort();
  await Promise.all(waiting);
  return driven;
}

async function hangingProvider(world: World): Promise<void> {
  const work = (): Promise<Driven> =>
    drive({ seconds: world.options.seconds, clients: CALM_CLIENTS, once: ssoSignIn(world) });
  const [calm, hung]: [Driven[], Driven[]] = [[], []];
  await repeated(world.options.rounds, async () => {
    await untilQuiet(world.product);
    calm.push(await work());
    hung.push(await whileHanging(world, work));
  });
  say(
    table([
      [`OIDC sign-in, ${CALM_CLIENTS} clients`, 'p50 ms', 'p99 ms', 'per second', 'failures'],
      roundsLine('nothing hangs', calm),
      roundsLine("another tenant's provider hangs", hung),
    ]),
  );
  say(
    `p99 with a hanging provider to its normal value: ${fine(medianP99(hung) / medianP99(calm))} (${world.hanging.hits.token} requests hung)`,
  );
}

async function prepare(
  product: RunningProduct,
  options: BenchOptions,
  provider: OidcProvider,
  hanging: ScriptedIdp,
): Promise<World> {
  const { admin, partnerId } = await makeTenant(product, 0);
  const orgId = await organizationWithProvider(admin, partnerId, provider);
  const hangingOrgId = await organizationWithProvider(admin, partnerId, hanging);
  const people = await repeated(PASSWORD_PEOPLE, () => invite(product, admin, partnerId));
  return { product, options, orgId, hangingOrgId, hanging, provider, people };
}

/** Sign-ins of each kind, through the gateway, with providers in separate processes. */
export async function benchLogin(options: BenchOptions): Promise<void> {
  const provider = await startChild<OidcProvider>('./dev-idp-child.js');
  const hanging = await startScriptedIdp();
  const allowed = [provider.ready, hanging].map(({ issuer }) => new URL(issuer).host).join(',');
  try {
    await withProduct(
      { RATE_LIMITS: UNLIMITED, EGRESS_ALLOW_HOSTS: allowed, EGRESS_ALLOW_HTTP: 'true' },
      async (product) => {
        const world = await prepare(product, options, provider.ready, hanging);
        say(
          `passwords: ${await argon2Cost(world)}; CPU: our services and PostgreSQL, without the provider and this load generator`,
        );
        await signIns(world);
        await statements(world);
        await hangingProvider(world);
      },
    );
  } finally {
    await hanging.stop();
    await provider.stop();
  }
}
