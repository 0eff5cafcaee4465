import { connected, type RunningProduct } from '@gatehouse/stack';
import { QueueRows } from './queue-seed.ts';
import { adminUrl } from './statements.ts';
import type { Tenant } from './tenant.ts';

export const ORGANIZATIONS = 10_000;
const SITES = 10_000;
export const DEVICES = 100_000;
/** One organisation is large: it has half of all sites and devices; the others share the rest. */
const LARGE = 0.5;

export interface SeededTenancy {
  /** The large one. */
  readonly orgId: string;
  /** Sites of it. */
  readonly siteIds: readonly string[];
  /** Ids of some organisations. */
  readonly orgIds: readonly string[];
}

const PLACES = `
  CREATE TEMP TABLE o AS SELECT n, gen_random_uuid() AS id FROM generate_series(1, ${ORGANIZATIONS}) AS n;
  CREATE TEMP TABLE s AS SELECT n, gen_random_uuid() AS id, CASE WHEN n <= ${SITES * LARGE} THEN 1
    ELSE n - ${SITES * LARGE} + 1 END AS o FROM generate_series(1, ${SITES}) AS n;
  CREATE UNIQUE INDEX ON o (n); CREATE UNIQUE INDEX ON s (n); ANALYZE o; ANALYZE s;`;

const ROWS = `
  INSERT INTO organizations (id, partner_id, name, slug, settings)
    SELECT id, $1::uuid, 'Customer ' || lpad(n::text, 6, '0'), 'customer-' || n, '{}' FROM o;
  INSERT INTO sites (id, partner_id, org_id, name) SELECT s.id, $1::uuid, o.id, 'Site ' || lpad(s.n::text, 6, '0')
    FROM s JOIN o ON o.n = s.o;
  INSERT INTO devices (id, partner_id, org_id, site_id, hostname, os_type, serial_number, status)
  SELECT gen_random_uuid(), $1::uuid, o.id, s.id, 'HOST-' || lpad(d::text, 6, '0'), 'windows', 'SN-' || md5(d::text),
    'offline'
    FROM generate_series(1, ${DEVICES}) AS d JOIN s ON s.n = 1 + d % ${SITES} JOIN o ON o.n = s.o;
  UPDATE partner_counters SET organizations = organizations + ${ORGANIZATIONS} WHERE partner_id = $1::uuid;`;

const FOUND = `SELECT (SELECT id FROM o WHERE n = 1) AS org_id, ARRAY(SELECT id::text FROM s WHERE o = 1 ORDER BY n
  LIMIT 100) AS site_ids, ARRAY(SELECT id::text FROM o ORDER BY n LIMIT 1000) AS org_ids`;

/**
 * Writes the rows straight into the database, as many customers as a large partner has; the statistics are as after a
 * night's vacuum.
 */
export function seedTenancy(product: RunningProduct, partnerId: string): Promise<SeededTenancy> {
  return connected(adminUrl(product, 'tenancy'), async (client) => {
    await client.query(PLACES);
    await client.query(ROWS.replaceAll('$1', client.escapeLiteral(partnerId)));
    await client.query(
      'VACUUM (ANALYZE) organizations, sites, site_placements, devices, device_counts, device_count_deltas',
    );
    await client.query('CHECKPOINT');
    const { rows } = await client.query<{ org_id: string; site_ids: string[]; org_ids: string[] }>(FOUND);
    return { orgId: rows[0]?.org_id ?? '', siteIds: rows[0]?.site_ids ?? [], orgIds: rows[0]?.org_ids ?? [] };
  });
}

const USERS = 20_000;
/** Requests of some months and entries of the audit log, the newest a moment ago. */
export type Rows = Readonly<Record<'requests' | 'entries', number>>;

const REFS = `
  INSERT INTO org_ref (org_id, partner_id, name, status, deleted, version)
  SELECT gen_random_uuid(), $1::uuid, 'Customer ' || n, 'active', false, 1 FROM generate_series(1, 10000) AS n;
  INSERT INTO device_ref (device_id, partner_id, org_id, site_id, group_ids, hostname, status, deleted, version)
  SELECT gen_random_uuid(), $1::uuid, $2::uuid, gen_random_uuid(), '{}', 'HOST-' || lpad(n::text, 6, '0'), 'online',
    false, 1 FROM generate_series(1, 100000) AS n;`;

/** Entries that no verification reads: their hashes do not hold. */
const ENTRIES = `
  INSERT INTO chains (chain, partner_id, head) VALUES ($1, $1::uuid, repeat('0', 64)) ON CONFLICT DO NOTHING;
  INSERT INTO audit_entries (id, chain, sequence, timestamp, partner_id, org_id, site_id, actor_type, actor_id,
    actor_name, action, resource_type, resource_id, resource_name, result, details, ip, user_agent, request_id,
    previous_hash, hash)
  SELECT gen_random_uuid(), $1, 1000000 + n, now() - ($2::bigint - n) * interval '1 second', $1::uuid, NULL, NULL,
    'user', 'u', 'Person ' || n % 500, 'site.create', 'site', n::text,
         'Site ' || n, 'success', '{"changedFields":["name","timezone"]}', '203.0.113.5',
           'Mozilla/5.0 (X11; Linux x64) Bench/1', 'bench-' || n, repeat('0', 64), repeat('0', 64)
    FROM generate_series(1, $2::bigint) AS n;`;

const PEOPLE = `
  CREATE TEMP TABLE p AS SELECT n, gen_random_uuid() AS id FROM generate_series(1, ${USERS}) AS n;
  INSERT INTO users (id, email, name, status) SELECT id, 'person-' || n || '@lists.example',
    'Person ' || lpad(n::text, 6, '0'), 'active' FROM p;
  INSERT INTO memberships (id, user_id, level, partner_id, role_id)
  SELECT gen_random_uuid(), p.id, 'partner', $1::uuid, r.id FROM p CROSS
    JOIN (SELECT id FROM roles WHERE system AND name = 'Partner Technician') AS r;`;

async function run(product: RunningProduct, service: string, sql: string, ...parameters: unknown[]): Promise<void> {
  await connected(adminUrl(product, service), async (client) => {
    await client.query('SET synchronous_commit = off');
    await client.query(
      parameters.reduceRight<string>(
        (text, value, at) => text.replaceAll(`$${at + 1}`, client.escapeLiteral(String(value))),
        sql,
      ),
    );
    await client.query('VACUUM ANALYZE');
  });
}

/** Fills the tables of all services, as a large partner does in some months. */
export async function seedLists(product: RunningProduct, tenant: Tenant, rows: Rows): Promise<SeededTenancy> {
  const { partnerId, orgId } = tenant;
  const seeded = await seedTenancy(product, partnerId);
  await run(product, 'pam', REFS, partnerId, orgId);
  const requests = new QueueRows(product, tenant);
  await requests.prepare();
  await requests.growTo(rows.requests);
  await run(product, 'audit', ENTRIES, partnerId, rows.entries);
  await run(product, 'identity', PEOPLE, partnerId);
  return seeded;
}
