import { newId } from '@gatehouse/crypto';
import fastify from 'fastify';
import pg from 'pg';
import { serveParent } from './child.ts';

interface Report {
  readonly subject_username: string;
  readonly target_executable_path: string;
  readonly target_executable_hash: string;
  readonly target_executable_signer: string;
}

interface Waiting {
  readonly row: object;
  readonly done: () => void;
}

const WRITE = `
  WITH input AS (SELECT * FROM json_to_recordset($1::json) AS i(id uuid, "deviceId" uuid, report jsonb)), request AS (
    INSERT INTO bench_requests (id, org_id, device_id, path, signer, hash, username, status)
    SELECT id, gen_random_uuid(), "deviceId", report->>'target_executable_path', report->>'target_executable_signer',
      report->>'target_executable_hash', report->>'subject_username', 'pending' FROM input
  )
  INSERT INTO bench_outbox (id, subject, envelope) SELECT gen_random_uuid(), s.subject, report
    FROM input, (VALUES ('audit.pam'), ('pam.elevation.requested.v1')) AS s(subject)`;

const [databaseUrl = ''] = process.argv.slice(2);
const client = new pg.Client({ connectionString: databaseUrl });
await client.connect();
let waiting: Waiting[] = [];
let writing = false;

/** Reports that arrive while a batch is written share the next statement and commit. */
async function writeOff(): Promise<void> {
  writing = true;
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    await client.query({ name: 'write', text: WRITE, values: [JSON.stringify(batch.map(({ row }) => row))] });
    for (const { done } of batch) done();
  }
  writing = false;
}

/**
 * The smallest server that stores reports: no token, limit, rules, receipts, row security or consumer of the events.
 */
const server = fastify();
server.post<{ Params: { id: string }; Body: Report }>(
  '/api/v1/agents/:id/elevation-requests',
  async ({ params, body: report }, reply) => {
    const id = newId();
    const stored = new Promise<void>((done) => waiting.push({ row: { id, deviceId: params.id, report }, done }));
    if (!writing) void writeOff();
    await stored;
    return reply.code(201).send({ id, status: 'pending' });
  },
);
serveParent({ url: await server.listen({ host: '127.0.0.1', port: 0 }) });
