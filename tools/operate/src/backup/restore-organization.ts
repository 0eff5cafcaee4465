import type { AuditRecord, DatabaseName, EventEnvelope, Operator } from '@gatehouse/contracts-core';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Command, operatorOf, type Options } from '../command.ts';
import { checkedFiles, findBackup } from './backup-folder.ts';
import { databaseAddresses } from './one-point.ts';
import { connected } from './restore.ts';
import { type Copied, type Table, tenantTables, TREATMENTS } from './tenant-tables.ts';
import { restored } from './verify-backup.ts';

const NAMES = Object.keys(TREATMENTS) as readonly DatabaseName[];
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const BATCH_ROWS = 2_000;
/** What knows a state of a row from before its purge takes none of the restored row for that state or an older one. */
const VERSION_LEAP = 1_000_000;
const BREAKS_CONSTRAINT = /^23/;

const AS_SYSTEM = `SET app.system = 'on'; SET idle_in_transaction_session_timeout = 0; BEGIN`;
const MIGRATIONS = `SELECT string_agg(name, ', ' ORDER BY name) AS names FROM migrations`;
const IN_BACKUP = 'SELECT name, partner_id, status FROM organizations WHERE id = $1 AND deleted_at IS NULL';
const IN_PRODUCT = 'SELECT deleted_at IS NULL AS present, merged_into_id FROM organizations WHERE id = $1 FOR UPDATE';
const PARTNER = 'SELECT FROM partners WHERE id = $1 AND deleted_at IS NULL FOR SHARE';
const VERIFIED = 'SELECT domain FROM sso_domains WHERE org_id = $1 AND verified_at IS NOT NULL';
const VERIFIED_ELSEWHERE = `
  SELECT domain FROM sso_domains WHERE domain = ANY ($2) AND org_id <> $1 AND verified_at IS NOT NULL`;
/** Says in each database whose rows these are: if a later database does not commit, the next run goes on from there. */
const MARK = `INSERT INTO inbox (consumer, event_id) VALUES ('operate.restore-organization', md5($1)::uuid)
  ON CONFLICT DO NOTHING`;
const IS_MARKED = `SELECT FROM inbox WHERE consumer = 'operate.restore-organization' AND event_id = md5($1)::uuid`;
const AUDIT = `INSERT INTO outbox (id, subject, envelope) VALUES ($1, 'audit.tenancy', $2)`;

/** Why nothing is restored. */
class Refused extends Error {}

interface Run {
  readonly organizationId: string;
  readonly takenAt: string;
  readonly say: (line: string) => void;
}

interface Organization {
  readonly name: string;
  readonly partner_id: string;
  readonly status: string;
}

/** A database as the backup has it, and as the product has it. */
interface Pair {
  readonly name: DatabaseName;
  readonly from: pg.Client;
  readonly to: pg.Client;
}

interface Outcome {
  readonly rows: number;
  /** Grants that ended in rows that came back, and rows that stayed behind. */
  readonly ended: number;
}

const sum = (outcomes: readonly Outcome[]): Outcome => ({
  rows: outcomes.reduce((total, { rows }) => total + rows, 0),
  ended: outcomes.reduce((total, each) => total + each.ended, 0),
});

function insertOf({ name, columns }: Table, { only = 'true', set = {}, ends = 'false' }: Copied): string {
  const values: Readonly<Record<string, string>> = { version: `t.version + ${VERSION_LEAP}`, ...set };
  const changed = columns
    .filter((column) => !['id', 'version'].includes(column))
    .map((column) => `${column} = EXCLUDED.${column}`);
  // A purge leaves the row of the organisation itself; a trigger makes its next version.
  const again = `ON CONFLICT (id) DO UPDATE SET ${changed.join(', ')}`;
  return `
    WITH read AS (SELECT * FROM json_populate_recordset(NULL::${name}, $1::json)),
    put AS (
      INSERT INTO ${name} (${columns.join(', ')})
      SELECT ${columns.map((column) => values[column] ?? `t.${column}`).join(', ')} FROM read t WHERE ${only}
      ${name === 'organizations' ? again : ''} RETURNING 1)
    SELECT (SELECT count(*) FROM put)::int AS rows,
           (SELECT count(*) FROM read t WHERE (${ends}) OR NOT (${only}))::int AS ended`;
}

async function copy({ from, to }: Pair, table: Table, how: Copied, id: string): Promise<Outcome> {
  const ofOrganization = (sql: string): string => sql.replaceAll('$1', `'${id}'::uuid`);
  const of = ofOrganization(how.of ?? 't.org_id = $1');
  await from.query(`DECLARE read CURSOR FOR SELECT row_to_json(t)::text AS row FROM ${table.name} t WHERE ${of}`);
  const batches: Outcome[] = [];
  for (;;) {
    const { rows } = await from.query<{ row: string }>(`FETCH ${BATCH_ROWS} FROM read`);
    if (rows.length === 0) break;
    const put = await to.query<Outcome>(insertOf(table, how), [`[${rows.map(({ row }) => row).join()}]`]);
    batches.push(...put.rows);
  }
  await from.query('CLOSE read');
  const total = sum(batches);
  if (how.then && total.rows > 0 && (await to.query(ofOrganization(how.then.sql))).rowCount === 0)
    throw new Refused(how.then.refusal);
  return total;
}

async function treat(pair: Pair, table: Table, { organizationId, say }: Run): Promise<Outcome> {
  const how = TREATMENTS[pair.name]?.[table.name] ?? { way: 'stays' };
  let outcome: Outcome = { rows: 0, ended: 0 };
  if (!('way' in how)) outcome = await copy(pair, table, how, organizationId);
  else if (how.way === 'ends') {
    const count = `SELECT 0 AS rows, count(*)::int AS ended FROM ${table.name} t WHERE ${how.of ?? 't.org_id = $1'}`;
    outcome = sum((await pair.from.query<Outcome>(count, [organizationId])).rows);
  }
  if (outcome.rows + outcome.ended > 0)
    say(`${pair.name}.${table.name}: ${outcome.rows} rows, ${outcome.ended} ended or left behind`);
  return outcome;
}

/** @returns whether an earlier run has restored this database */
async function isRestored({ name, to }: Pair, tables: readonly Table[], run: Run): Promise<boolean> {
  const full: string[] = [];
  for (const table of tables) {
    const how = TREATMENTS[name]?.[table.name] ?? {};
    if (!table.hasOrganization || ('way' in how && how.way === 'stays')) continue;
    const { rowCount } = await to.query(`SELECT FROM ${table.name} WHERE org_id = $1 LIMIT 1`, [run.organizationId]);
    if (rowCount) full.push(table.name);
  }
  if (full.length === 0) return false;
  if ((await to.query(IS_MARKED, [run.organizationId + run.takenAt])).rowCount) return true;
  throw new Refused(`rows of the organisation are there, in ${full.join(', ')}`);
}

async function requireSameRelease({ from, to }: Pair): Promise<void> {
  const [backup, product] = await Promise.all([from.query(MIGRATIONS), to.query(MIGRATIONS)]);
  if (backup.rows[0].names !== product.rows[0].names) throw new Refused('the backup is of another release');
}

/** @throws Refused when the backup has no whole organisation of this id */
async function organizationIn({ from }: Pair, id: string): Promise<Organization> {
  const organization = (await from.query<Organization>(IN_BACKUP, [id])).rows[0];
  if (!organization) throw new Refused('the backup does not have the organisation');
  if (['merging', 'purging'].includes(organization.status))
    throw new Refused(`the organisation was ${organization.status} when the backup was taken`);
  return organization;
}

/** Collisions that no constraint of the database finds. */
const CHECKS: Partial<Record<DatabaseName, (pair: Pair, id: string) => Promise<void>>> = {
  identity: async ({ from, to }, id) => {
    const { rows } = await from.query<{ domain: string }>(VERIFIED, [id]);
    const taken = await to.query<{ domain: string }>(VERIFIED_ELSEWHERE, [id, rows.map(({ domain }) => domain)]);
    if (taken.rows[0]) throw new Refused(`another organisation has verified the domain ${taken.rows[0].domain}`);
  },
  tenancy: async (pair, id) => {
    const { partner_id: partnerId } = await organizationIn(pair, id);
    const known = (await pair.to.query<{ present: boolean; merged_into_id: string | null }>(IN_PRODUCT, [id])).rows[0];
    if (known?.present) throw new Refused('the organisation is there: archive it, and wait until its purge is over');
    if (known?.merged_into_id) throw new Refused(`the organisation was merged into ${known.merged_into_id}`);
    const partner = await pair.to.query(PARTNER, [partnerId]);
    if (partner.rowCount === 0) throw new Refused(`the partner ${partnerId} is not there`);
  },
};

/** Copies one database, in a transaction that stays open. */
async function copyDatabase(pair: Pair, run: Run): Promise<Outcome> {
  await Promise.all([pair.from, pair.to].map((client) => client.query(AS_SYSTEM)));
  await requireSameRelease(pair);
  const tables = await tenantTables(pair.to, pair.name);
  await CHECKS[pair.name]?.(pair, run.organizationId);
  if (await isRestored(pair, tables, run)) {
    run.say(`${pair.name}: an earlier run has restored it`);
    return { rows: 0, ended: 0 };
  }
  const outcomes: Outcome[] = [];
  for (const table of tables) outcomes.push(await treat(pair, table, run));
  await pair.to.query(MARK, [run.organizationId + run.takenAt]);
  return sum(outcomes);
}

/** @throws Error with the reason of every database that refuses */
async function copyAll(pairs: readonly Pair[], run: Run): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  const refusals: string[] = [];
  for (const pair of pairs)
    try {
      outcomes.push(await copyDatabase(pair, run));
    } catch (error) {
      const collides = error instanceof pg.DatabaseError && BREAKS_CONSTRAINT.test(error.code ?? '');
      if (!(error instanceof Refused || collides)) throw error;
      refusals.push(`${pair.name}: ${error.message}`);
    }
  if (refusals.length > 0) throw new Error(['nothing is restored:', ...refusals].join('\n'));
  return sum(outcomes);
}

/** The audit entry goes with tenancy's rows, which make the organisation visible. */
async function audit({ from, to }: Pair, { organizationId, takenAt }: Run, operator: Operator, counts: Outcome) {
  const { name, partner_id: partnerId } = await organizationIn({ name: 'tenancy', from, to }, organizationId);
  const [id, timestamp] = [randomUUID(), new Date().toISOString()];
  const actor = { type: 'system', id: null, name: operator.name, label: 'operator' } as const;
  const data: AuditRecord = {
    id: randomUUID(),
    timestamp,
    partnerId,
    orgId: organizationId,
    siteId: null,
    actor,
    action: 'organization.restore',
    resource: { type: 'organization', id: organizationId, name },
    result: 'success',
    details: { backupTakenAt: takenAt, ...counts, ...(operator.ticket && { ticket: operator.ticket }) },
    ip: null,
    userAgent: null,
    requestId: null,
  };
  const head = { id, subject: 'audit.tenancy', source: 'tenancy', aggregateId: partnerId, occurredAt: timestamp };
  const envelope: EventEnvelope = { ...head, data, actor, traceparent: null };
  await to.query(AUDIT, [id, JSON.stringify(envelope)]);
}

async function commit(pairs: readonly Pair[]): Promise<void> {
  const done: string[] = [];
  for (const { name, to } of pairs) {
    await to.query('COMMIT').catch((error: Error) => {
      throw new Error(`${name} did not commit, after ${done.join(', ')}; run the command again: ${error.message}`);
    });
    done.push(name);
  }
}

interface Question {
  readonly from: string;
  readonly organization: string;
  readonly scratch: string;
}

function questionOf({ from, organization, scratch }: Options): Question {
  if (typeof from !== 'string') throw new Error('--from is needed: a backup, or the folder that holds the backups');
  if (typeof organization !== 'string' || !UUID.test(organization))
    throw new Error('--organization is needed: the id of an organisation');
  if (typeof scratch !== 'string') throw new Error('--scratch is needed: the address of a PostgreSQL server');
  return { from, organization, scratch };
}

/** Restores all databases in passing, and connects each with the product's. */
function paired<T>(
  source: (name: DatabaseName, work: (from: pg.Client) => Promise<T>) => Promise<T>,
  targets: ReadonlyMap<DatabaseName, string>,
  work: (pairs: readonly Pair[]) => Promise<T>,
): Promise<T> {
  const next = ([name, ...rest]: readonly DatabaseName[], pairs: readonly Pair[]): Promise<T> => {
    if (name === undefined) return work(pairs);
    const withSource = (from: pg.Client): Promise<T> =>
      connected(targets.get(name) ?? '', (to) => next(rest, [...pairs, { name, from, to }]));
    return source(name, withSource);
  };
  return next(NAMES, []);
}

export const restoreOrganization: Command = {
  name: 'restore-organization',
  does: 'brings back one organisation (--organization) that was purged, from the backup that --from names, or the newest in that folder, into the running product; --check changes nothing. What exists already wins: where it collides, nothing is restored. It needs DATABASE_OWNER_URL_<DATABASE>, pg_restore, and for passing databases a PostgreSQL server --scratch',
  options: {
    from: { type: 'string' },
    organization: { type: 'string' },
    scratch: { type: 'string' },
    check: { type: 'boolean' },
  },
  run: async (door, options, say, env) => {
    const { from, organization, scratch: url } = questionOf(options);
    const operator = options['check'] ? null : operatorOf(env, options);
    const began = Date.now();
    const { takenAt, files } = await checkedFiles(findBackup(from));
    const run: Run = { organizationId: organization, takenAt, say };
    const { rows, ended } = await paired<Outcome>(
      (database, work) => restored({ url, database, file: files.get(database) ?? '' }, env, work),
      new Map(databaseAddresses(env).map((address) => [address.name, address.url])),
      async (pairs) => {
        const counts = await copyAll(pairs, run);
        const last = pairs.at(-1);
        if (operator === null || !last) return counts;
        await audit(last, run, operator, counts);
        await commit(pairs);
        return counts;
      },
    );
    const took = `${Math.ceil((Date.now() - began) / 1000)} s`;
    say(`${rows} rows as they were at ${takenAt}, ${ended} ended or left behind, ${took}`);
    if (operator === null) {
      say('nothing was changed; without --check this would be restored');
      return 0;
    }
    // Other services, and copies in their memory, learn of the organisation, its devices and its people.
    await door.ask('tenancy', 'POST', '/tenancy/announcements');
    await door.ask('identity', 'POST', '/technicians/replay');
    say('restored, and announced to all services');
    return 0;
  },
};
