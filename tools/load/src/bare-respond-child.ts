import fastify from 'fastify';
import pg from 'pg';
import { serveParent } from './child.ts';

/** The number of connections that a service has for requests. */
const CONNECTIONS = 10;
const CLAIM = `UPDATE bench_queue SET status = 'approved', decision_source = 'human', decided_at = now(),
  approved_by = $2, duration_minutes = 15, expires_at = now() + interval '15 minutes'
  WHERE id = $1 AND status = 'pending' RETURNING org_id, device_id`;
const TRACE = `WITH audit AS (INSERT INTO bench_audit (id, org_id, action, details)
  VALUES (gen_random_uuid(), $1, 'pam.elevation_request.approve', $2))
  INSERT INTO bench_events (id, subject, envelope) VALUES (gen_random_uuid(), 'pam.elevation.approved.v1', $2)`;

const [databaseUrl = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });

/** The smallest server that decides a request: the claim, its audit row and its event in one transaction. */
async function respond(id: string, decision: string): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ org_id: string; device_id: string }>({
      name: 'claim',
      text: CLAIM,
      values: [id, id],
    });
    const [claimed] = rows;
    if (claimed)
      await client.query({
        name: 'trace',
        text: TRACE,
        values: [claimed.org_id, JSON.stringify({ id, decision, deviceId: claimed.device_id, status: 'approved' })],
      });
    await client.query('COMMIT');
    return claimed !== undefined;
  } finally {
    client.release();
  }
}

const server = fastify();
server.post<{ Params: { id: string }; Body: { decision: string } }>(
  '/requests/:id/respond',
  async ({ params: { id }, body: { decision } }, reply) => {
    const done = await respond(id, decision);
    return reply.code(done ? 200 : 409).send({ success: done, id, status: 'approved' });
  },
);
const url = await server.listen({ host: '127.0.0.1', port: 0 });
serveParent({ url });
