import { connected, type RunningProduct } from '@gatehouse/stack';
import { adminUrl } from './statements.ts';

export const ORGANIZATIONS = 10_000;
export const SITES = 10_000;
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
