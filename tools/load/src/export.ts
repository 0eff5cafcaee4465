import { newId } from '@gatehouse/crypto';
import { Api, connected, type RunningProduct } from '@gatehouse/stack';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { type BenchOptions, fine, say, table, whole } from './command-line.ts';
import { untilQuiet, withProduct } from './product.ts';
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
      INSERT INTO audit_entries (id, chain, sequence, timestamp, partner_id, actor_type, actor_id, actor_name, action,
        resource_type, resource_id, resource_name, result, details, ip, user_agent, request_id, previous_hash, hash)
      VALUES (entry, name, n, began, name::uuid, 'user', 'u', 'Ada Lovelace',
        'site.create', 'site', entry::text, 'Headquarters', 'success',
        '{"changedFields":["name","timezone"]}', '203.0.113.5', 'Mozilla/5.0 (X11; Linux x64) Bench/1',
          'bench-request-' || n, previous, hash);
    END LOOP;
    UPDATE chains c SET length = entries, head = hash WHERE c.chain = name;
  END $$`;

/** A whole chain of the partner's, written past the service. */
async function seedChain(product: RunningProduct, partnerId: string, entries: number): Promise<void> {
  await connected(adminUrl(product, 'audit'), async (client) => {
    await client.query('SET synchronous_commit = off');
    await client.query(SEED);
    await client.query('CALL bench_append($1, $2)', [partnerId, entries]);
    await client.query('ANALYZE audit_entries');
  });
}

const KILOBYTE = 1024;
const NEWLINE = 10;
const MARKS = 10;
const SLOW_SECONDS = 10;
const SLOW_PAUSE_MS = 50;
const WATCHED = ['audit', 'gateway'] as const;

/** Resident memory in MB from /proc: the present value and the maximum. */
function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / KILOBYTE;
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

const memory = (product: RunningProduct): string[] =>
  WATCHED.flatMap((service) => {
    const { now, peak } = memoryOf(product.pidOf(service));
    return [whole(now), whole(peak)];
  });

const linesIn = (chunk: Buffer): number => {
  let lines = 0;
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
};

/** Reads an export to its end, as fast as it arrives, and prints the memory at each tenth. */
async function readAll(
  product: RunningProduct,
  address: string,
  headers: Record<string, string>,
  entries: number,
): Promise<void> {
  const rows = [
    ['entries', 'audit MB', 'peak', 'gateway MB', 'peak'],
    ['0', ...memory(product)],
  ];
  const began = Date.now();
  const { body } = await request(address, { headers });
  let lines = 0;
  for await (const chunk of body) {
    lines += linesIn(chunk as Buffer);
    if (lines >= (rows.length - 1) * (entries / MARKS)) rows.push([String(lines), ...memory(product)]);
  }
  const seconds = (Date.now() - began) / 1000;
  say(`export of ${lines} of ${entries} entries in ${fine(seconds)} s (${whole(lines / seconds)} a second)`);
  say(table(rows));
}

/** Reads a piece at intervals, and disconnects before the end. */
async function readSlowly(product: RunningProduct, address: string, headers: Record<string, string>): Promise<void> {
  const before = memory(product);
  const { body } = await request(address, { headers });
  let lines = 0;
  const deadline = Date.now() + SLOW_SECONDS * 1000;
  for await (const chunk of body) {
    lines += linesIn(chunk as Buffer);
    if (Date.now() > deadline) break;
    await pause(SLOW_PAUSE_MS);
  }
  say(`a reader that takes ${whole(lines / SLOW_SECONDS)} entries a second, after ${SLOW_SECONDS} s`);
  say(
    table([
      ['', 'audit MB', 'peak', 'gateway MB', 'peak'],
      ['before', ...before],
      ['after', ...memory(product)],
    ]),
  );
}

/** The audit log of a partner with a million entries: exported, exported to a slow reader, verified. */
export async function benchExport({ history }: BenchOptions): Promise<void> {
  await withProduct({}, async (product) => {
    const admin = await new Api(product.baseUrl).signIn(product.administrator);
    const partnerId = newId();
    await seedChain(product, partnerId, history);
    await untilQuiet(product);
    const headers = { authorization: `Bearer ${admin.accessToken}` };
    const address = `${product.baseUrl}/api/v1/audit-logs/export?chain=${partnerId}`;
    await readAll(product, address, headers, history);
    await readSlowly(product, address, headers);
    const began = Date.now();
    const verdict = await admin.must('GET', `/audit-logs/verify?chain=${partnerId}`);
    say(`verification of ${history} entries in ${fine((Date.now() - began) / 1000)} s: ${JSON.stringify(verdict)}`);
  });
}
