import { connected } from '@gatehouse/stack';
import pg from 'pg';

const NAME = 'gatehouse_administrator';
/** A session of its own takes the lock, so that programs which start together make the role once. */
const LOCK = 4_284_290;

/**
 * A login as a managed PostgreSQL gives it: it may create roles and databases, and is no superuser. It has the
 * superuser's password, from which those of the services are derived.
 */
export async function ordinaryAdministrator(superuserUrl: string): Promise<string> {
  const url = new URL(superuserUrl);
  const password = pg.escapeLiteral(decodeURIComponent(url.password));
  await connected(superuserUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [NAME]);
    if (rowCount === 0) await client.query(`CREATE ROLE ${NAME} LOGIN CREATEROLE CREATEDB PASSWORD ${password}`);
  });
  url.username = NAME;
  return url.href;
}
