import { connected, type RunningProduct } from '@gatehouse/stack';
import { QueueRows } from './queue-seed.ts';
import { adminUrl } from './statements.ts';
import { type SeededTenancy, seedTenancy } from './tenancy-seed.ts';
import type { Tenant } from './tenant.ts';

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
  INSERT INTO audit_entries
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
