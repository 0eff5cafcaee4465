import { connected, withDatabase } from '@gatehouse/stack';
import { createHash } from 'node:crypto';
import type { Tenant } from '../world.ts';

/** How much a partner has. */
export type Size = Readonly<Record<'organizations' | 'sites' | 'devices' | 'requests' | 'people' | 'entries', number>>;

export const FULL: Size = {
  organizations: 10_000,
  sites: 10_000,
  devices: 100_000,
  requests: 1_000_000,
  people: 20_000,
  entries: 1_000_000,
};
/** All organisations, and of the rest enough to fill many pages: seeded in a few seconds. */
export const SMALL: Size = { ...FULL, devices: 4_000, requests: 6_000, people: 2_000, entries: 6_000 };

const WAITING = 150;
const ACTIVE = 200;

/** Every service knows a thing by the same id. */
const idOf = (kind: string, n: string): string =>
  `overlay(overlay(md5('${kind}' || ${n} || $1)::uuid::text PLACING '4' FROM 15) PLACING '8' FROM 20)::uuid`;
/** The id of the organisation that has half of all sites. */
export function largestOrganization({ partnerId }: Tenant): string {
  const digest = createHash('md5').update(`org1${partnerId}`).digest('hex');
  return digest.replace(/(.{8})(.{4}).(.{3}).(.{3})(.{12})/, '$1-$2-4$3-8$4-$5');
}

/** The first organisation has half of the sites, and with them half of the devices. */
const ORG_OF_SITE = 'CASE WHEN n <= $3 / 2 THEN 1 ELSE n - $3 / 2 + 1 END';
const ORG_OF_DEVICE = 'CASE WHEN 1 + n % $3 <= $3 / 2 THEN 1 ELSE 1 + n % $3 - $3 / 2 + 1 END';
const SITE_OF_DEVICE = '1 + n % $3';
const HOST = `'HOST-' || lpad(n::text, 6, '0')`;
const CUSTOMER = `'Customer ' || lpad(n::text, 6, '0')`;
const SITE = `'Site ' || lpad(n::text, 6, '0')`;

const TENANCY = `
  INSERT INTO organizations (id, partner_id, name, slug, settings)
  SELECT ${idOf('org', 'n')}, $1::uuid, ${CUSTOMER}, 'customer-' || n, '{}' FROM generate_series(1, $2) AS n;
  INSERT INTO sites (id, partner_id, org_id, name)
  SELECT ${idOf('site', 'n')}, $1::uuid, ${idOf('org', `(${ORG_OF_SITE})`)}, ${SITE} FROM generate_series(1, $3) AS n;
  INSERT INTO devices (id, partner_id, org_id, site_id, hostname, os_type, serial_number, status)
  SELECT ${idOf('device', 'n')}, $1::uuid, ${idOf('org', `(${ORG_OF_DEVICE})`)}, ${idOf('site', `(${SITE_OF_DEVICE})`)},
         ${HOST}, 'windows', 'SN-' || n, 'offline' FROM generate_series(1, $4) AS n;
  UPDATE partner_counters SET organizations = organizations + $2 WHERE partner_id = $1::uuid;`;

const ORGANIZATIONS_KNOWN = `
  INSERT INTO org_ref (org_id, partner_id, name, status, deleted, version)
  SELECT ${idOf('org', 'n')}, $1::uuid, ${CUSTOMER}, 'active', false, 1 FROM generate_series(1, $2) AS n;
  INSERT INTO site_ref (site_id, org_id, partner_id, name, deleted, version)
  SELECT ${idOf('site', 'n')}, ${idOf('org', `(${ORG_OF_SITE})`)}, $1::uuid, ${SITE}, false, 1
    FROM generate_series(1, $3) AS n;`;

const PAM = `${ORGANIZATIONS_KNOWN}
  INSERT INTO device_ref (device_id, partner_id, org_id, site_id, group_ids, hostname, status, deleted, version)
  SELECT ${idOf('device', 'n')}, $1::uuid, ${idOf('org', `(${ORG_OF_DEVICE})`)}, ${idOf('site', `(${SITE_OF_DEVICE})`)},
         '{}', ${HOST}, 'online', false, 1 FROM generate_series(1, $4) AS n;`;

/** The time first, then random bits, as in the ids of the product. */
const REQUEST_ID = `overlay(overlay(gen_random_uuid()::text PLACING '7' FROM 15)
                    PLACING substr(uuid_from_instant(at)::text, 1, 13) FROM 1)::uuid`;

/** Requests of one status, the newest a moment ago and all of them of this month. */
const requests = (count: string, status: string, times: string): string => `
  INSERT INTO elevation_requests (id, partner_id, org_id, device_id, device_hostname, flow_type, requested_at,
    subject_username, target_executable_path, target_executable_signer, command_line, rulebook_version,
    status, decision_source, pending_until, expires_at, ended_at)
  SELECT ${REQUEST_ID}, $1::uuid, ${idOf('org', `(${ORG_OF_DEVICE})`)}, ${idOf('device', 'n')}, ${HOST},
         'uac_intercept', at, 'ACME\\ada', 'C:\\Program Files\\Tool\\tool-' || i % 500 || '.exe', 'Example Ltd',
         'tool.exe --run ' || i, 1, ${status}, ${times}
    FROM (SELECT i, 1 + i % $4 AS n,
                 now() - (now() - date_trunc('month',
                   now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC') * (i::float8 / ($5 + 1)) AS at
            FROM generate_series(1, ${count}) AS i) AS r;`;

const ENDED = `'human', NULL, at + interval '15 minutes', at + interval '15 minutes'`;

const REQUESTS = `
  ${requests('$5', `(ARRAY['denied', 'expired', 'revoked'])[1 + i % 3]`, ENDED)}
  ${requests(String(WAITING), `'pending'`, `NULL, now() + interval '1 day', NULL::timestamptz, NULL::timestamptz`)}
  ${requests(String(ACTIVE), `'approved'`, `'human', NULL, now() + interval '1 day', NULL::timestamptz`)}`;

const IDENTITY = `${ORGANIZATIONS_KNOWN}
  INSERT INTO users (id, email, name, status)
  SELECT ${idOf('user', 'n')}, 'p' || n || '-' || $1 || '@scale.example', 'Person ' || lpad(n::text, 6, '0'), 'active'
    FROM generate_series(1, $6) AS n;
  INSERT INTO memberships (id, user_id, level, partner_id, role_id)
  SELECT gen_random_uuid(), ${idOf('user', 'n')}, 'partner', $1::uuid, r.id
    FROM generate_series(1, $6) AS n
   CROSS JOIN (SELECT id FROM roles WHERE system AND name = 'Partner Technician') AS r;`;

/** Entries that no verification reads: their hashes do not hold. */
const AUDIT = `
  INSERT INTO chains (chain, partner_id, head) VALUES ($1, $1::uuid, repeat('0', 64)) ON CONFLICT DO NOTHING;
  INSERT INTO audit_entries (id, chain, sequence, timestamp, partner_id, org_id, site_id, actor_type, actor_id,
    actor_name, action, resource_type, resource_id, resource_name, result, details, ip, user_agent, request_id,
    previous_hash, hash)
  SELECT gen_random_uuid(), $1, 1000000 + n, now() - ($7 - n) * interval '1 second', $1::uuid, NULL, NULL, 'user', 'u',
         'Person ' || n % 500, 'site.create', 'site', n::text, 'Site ' || n, 'success', '{"changedFields":["name"]}',
         '203.0.113.5', 'Mozilla/5.0 (X11; Linux x64)', 'scale-' || n, repeat('0', 64), repeat('0', 64)
    FROM generate_series(1, $7) AS n;`;

const SERVICES = { tenancy: [TENANCY], pam: [PAM, REQUESTS], identity: [IDENTITY], audit: [AUDIT] } as const;

/** Writes a large partner into the databases of all services, with the totals that the sweeps would keep. */
export async function seed(postgres: string, { partnerId }: Tenant, size: Size): Promise<void> {
  const numbers = [size.organizations, size.sites, size.devices, size.requests, size.people, size.entries];
  const values = [`'${partnerId}'`, ...numbers.map(String)];
  const filled = (sql: string) => sql.replaceAll(/\$(\d)/g, (_, at: string) => values[Number(at) - 1] ?? '');
  for (const [service, parts] of Object.entries(SERVICES))
    await connected(withDatabase(postgres, `gatehouse_${service}`), async (client) => {
      await client.query('SET synchronous_commit = off');
      for (const sql of parts) await client.query(filled(sql));
      await client.query('ANALYZE');
    });
}
