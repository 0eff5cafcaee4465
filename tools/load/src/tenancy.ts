import type { Principal } from '@gatehouse/contracts-core';
import { randomUUID } from 'node:crypto';
import { DirectDoor, organizationPrincipal, partnerPrincipal } from './callers.ts';
import { drive, type Driven } from './drive.ts';
import { expectStatus } from './http.ts';
import { type BenchOptions, fine, median, repeated, say, table, whole } from './command-line.ts';
import { withProduct } from './product.ts';
import { StatementLog } from './statements.ts';
import { type SeededTenancy, seedTenancy } from './lists-seed.ts';
import { makeTenant } from './tenant.ts';

const CLIENTS = 4;
const LIMIT = 50;
const IMPORT_ROWS = 1000;
const COUNTED = 5;
/** Keeps the scenario within minutes: there are many lists. */
const MAX_SECONDS = 1;

interface Caller {
  readonly name: string;
  readonly principal: Principal;
}

interface World {
  readonly door: DirectDoor;
  readonly log: StatementLog;
  readonly options: BenchOptions;
}

interface List {
  readonly caller: Caller;
  /** Path and query without the page. */
  readonly path: string;
}

const callersOf = (
  partnerId: string,
  { orgId, siteIds, orgIds }: SeededTenancy,
): Record<'partner' | 'few' | 'many' | 'organization' | 'sites', Caller> => ({
  partner: { name: 'partner', principal: partnerPrincipal(partnerId) },
  few: { name: 'partner, 10 organisations selected', principal: partnerPrincipal(partnerId, orgIds.slice(0, 10)) },
  many: { name: 'partner, 200 organisations selected', principal: partnerPrincipal(partnerId, orgIds.slice(0, 200)) },
  organization: { name: 'organisation', principal: organizationPrincipal(partnerId, orgId) },
  sites: { name: 'confined to 100 sites', principal: organizationPrincipal(partnerId, orgId, siteIds) },
});

const LISTS = {
  organizations: '/orgs/organizations?',
  sites: '/orgs/sites?',
  devices: '/devices?',
  searched: '/devices?search=0042&',
  sitesSearched: '/orgs/sites?search=0042&',
};

function listsOf(callers: ReturnType<typeof callersOf>): List[] {
  const { partner, few, many, organization, sites } = callers;
  const devices = [partner, few, many, organization, sites].map((caller) => ({ caller, path: LISTS.devices }));
  const searches = [partner, organization, sites].map((caller) => ({ caller, path: LISTS.searched }));
  const selected = [LISTS.organizations, LISTS.sites, LISTS.searched].flatMap((path) =>
    [few, many].map((caller) => ({ caller, path })),
  );
  const places = [partner, organization, sites].flatMap((caller) =>
    [LISTS.sites, LISTS.sitesSearched].map((path) => ({ caller, path })),
  );
  return [
    { caller: partner, path: LISTS.organizations },
    { caller: partner, path: `${LISTS.organizations}search=0042&` },
    ...places,
    ...devices,
    ...searches,
    ...selected,
  ];
}

async function page({ door }: World, { caller, path }: List, number: number): Promise<string> {
  const headers = await door.headers(caller.principal, caller.name);
  return (await expectStatus(200, door.url(`${path}limit=${LIMIT}&page=${number}`), { headers })).text;
}

/** First and last page in turn. */
async function measureList(world: World, list: List): Promise<string[]> {
  const { pagination } = JSON.parse(await page(world, list, 1)) as { pagination: { total: number } };
  const last = Math.max(1, Math.ceil(pagination.total / LIMIT));
  const seconds = Math.min(MAX_SECONDS, world.options.seconds);
  const runs = await repeated(world.options.rounds, async (): Promise<[Driven, Driven]> => [
    await drive({ seconds, clients: CLIENTS, once: () => page(world, list, 1) }),
    await drive({ seconds, clients: CLIENTS, once: () => page(world, list, last) }),
  ]);
  const [first, final] = [0, 1].map((at) => median(runs.map((run) => run[at]?.p95 ?? 0)));
  const { statements } = await world.log.during(() => repeated(COUNTED, () => page(world, list, last)));
  return [
    list.path.replace(/[?&]$/, ''),
    list.caller.name,
    whole(pagination.total),
    fine(first ?? 0),
    fine(final ?? 0),
    fine((final ?? 0) / (first ?? 1)),
    fine(statements.length / COUNTED),
    String(runs.flat().reduce((sum, { failures }) => sum + failures, 0)),
  ];
}

async function measureLists(world: World, lists: readonly List[]): Promise<void> {
  const rows = [['list', 'caller', 'rows', 'p95 first page', 'p95 last page', 'ratio', 'statements', 'failures']];
  for (const list of lists) rows.push(await measureList(world, list));
  say(table(rows));
  say(
    `p95 in ms with ${CLIENTS} clients and ${LIMIT} rows a page, at the service; statements from PostgreSQL's log, without BEGIN and COMMIT`,
  );
}

function importRows(orgId: string): object[] {
  const run = randomUUID();
  return Array.from({ length: IMPORT_ROWS }, (_, n) => ({
    organizationId: orgId,
    name: `Person ${n} ${run}`,
    email: `p${n}-${run}@customer.example`,
    phone: '+49 341 1',
    roles: ['technical'],
    externalSystem: 'bench',
    externalId: `${run}-${n}`,
  }));
}

async function measureImport({ log, door, options }: World, { name, principal }: Caller, orgId: string): Promise<void> {
  const times: number[] = [];
  const importOnce = async (): Promise<void> => {
    const headers = await door.headers(principal, name);
    const body = { rows: importRows(orgId) };
    const from = performance.now();
    const { text } = await expectStatus(200, door.url('/orgs/contacts/import'), { method: 'POST', headers, body });
    times.push(performance.now() - from);
    const { imported } = JSON.parse(text) as { imported: unknown[] };
    if (imported.length !== IMPORT_ROWS)
      throw new Error(`${imported.length} of ${IMPORT_ROWS} rows were imported: ${text.slice(0, 300)}`);
  };
  await repeated(options.rounds, importOnce);
  const time = median(times);
  const { statements } = await log.during(importOnce);
  say(`import of ${IMPORT_ROWS} contacts: ${whole(time)} ms, ${statements.length} statements`);
}

/** A large partner's lists and searches, and an import, at the service itself. */
export async function benchTenancy(options: BenchOptions): Promise<void> {
  await withProduct({}, async (product) => {
    const { partnerId } = await makeTenant(product, 0);
    const seeded = await seedTenancy(product, partnerId);
    const callers = callersOf(partnerId, seeded);
    const world: World = {
      door: await DirectDoor.open(product, 'tenancy'),
      log: await StatementLog.open(product, 'tenancy'),
      options,
    };
    await measureLists(world, listsOf(callers));
    await measureImport(world, callers.partner, seeded.orgId);
  });
}
