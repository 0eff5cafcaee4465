import { connected, type RunningProduct } from '@gatehouse/stack';
import { adminUrl } from './statements.ts';

/**
 * The canonical JSON of an entry, with the members that differ from one entry to the next left open: predecessor,
 * number, place in time.
 */
const CANONICAL = `format('{"action":"site.create","actor":{"id":"u","name":"Ada Lovelace","type":"user"},"chain":"%1$s","details":{"changedFields":["name","timezone"]},"id":"%2$s",'
  '"ip":"203.0.113.5","orgId":null,"partnerId":"%1$s","previousHash":"%3$s","requestId":"bench-request-%4$s","resource":{"id":"%2$s","name":"Headquarters","type":"site"},'
  '"result":"success","sequence":%4$s,"siteId":null,"timestamp":"%5$s","userAgent":"Mozilla/5.0 (X11; Linux x64) Bench/1"}', name, entry, previous, n, at)`;

/** Entries as the service would have appended them, with hashes that hold, written where they are read from. */
const SEED = `
  CREATE OR REPLACE PROCEDURE bench_append(name text, entries bigint) LANGUAGE plpgsql AS $$
  DECLARE hash text := repeat('0', 64); previous text := repeat('0',
    64); entry uuid; at text; began timestamptz := date_trunc('milliseconds', now());
  BEGIN
    INSERT INTO chains (chain, partner_id, head) VALUES (name, name::uuid, previous);
    FOR n IN 1..entries LOOP
      entry := gen_random_uuid();
      at := to_char(began AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
      previous := hash;
      hash := encode(sha256(convert_to(${CANONICAL}, 'UTF8')), 'hex');
      INSERT INTO audit_entries VALUES (entry, name, n, began, name::uuid, NULL, NULL, 'user', 'u', 'Ada Lovelace',
        'site.create', 'site', entry::text, 'Headquarters', 'success',
        '{"changedFields":["name","timezone"]}', '203.0.113.5', 'Mozilla/5.0 (X11; Linux x64) Bench/1',
          'bench-request-' || n, previous, hash);
    END LOOP;
    UPDATE chains c SET length = entries, head = hash WHERE c.chain = name;
  END $$`;

/** A whole chain of the partner's, written past the service. */
export async function seedChain(product: RunningProduct, partnerId: string, entries: number): Promise<void> {
  await connected(adminUrl(product, 'audit'), async (client) => {
    await client.query('SET synchronous_commit = off');
    await client.query(SEED);
    await client.query('CALL bench_append($1, $2)', [partnerId, entries]);
    await client.query('ANALYZE audit_entries');
  });
}
