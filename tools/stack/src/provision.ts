import { createHash, createHmac } from 'node:crypto';
import pg from 'pg';
import { StackError } from './stack-error.ts';

/** One service's own database: the owner migrates, the service connects as the app role. */
export interface ServiceDatabase {
  readonly database: string;
  readonly ownerUrl: string;
  readonly appUrl: string;
}

const TEMPLATE_BUSY = '55006';
const identifier = pg.escapeIdentifier;

/** Runs `work` on a separate connection, and fails if the connection breaks. */
export async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // Without a listener, a connection that breaks would end the process.
  const broken = new Promise<never>((_, reject) => client.on('error', reject));
  broken.catch(() => undefined);
  await client.connect();
  try {
    return await Promise.race([work(client), broken]);
  } finally {
    await client.end();
  }
}

/** Runs `work` under an exclusive lock of that name on this server. */
export function underDatabaseLock<T>(adminUrl: string, name: string, work: () => Promise<T>): Promise<T> {
  const key = createHash('sha256').update(name).digest().readInt32BE();
  return connected(adminUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [key]);
    return work();
  });
}

/** The same server and login, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(database)}`;
  return changed.href;
}

/**
 * The passwords are derived, not stored, so that each program with the administrator's login computes the same ones.
 */
function passwordOf(adminUrl: string, role: string): string {
  const secret = decodeURIComponent(new URL(adminUrl).password);
  if (secret === '')
    throw new StackError('DATABASE_ADMIN_URL must hold a password: the passwords of the services are derived from it');
  return createHmac('sha256', secret).update(`gatehouse role ${role}`).digest('base64url');
}

function urlOf(adminUrl: string, role: string, database: string): string {
  const url = new URL(withDatabase(adminUrl, database));
  url.username = role;
  url.password = passwordOf(adminUrl, role);
  return url.href;
}

/** Only a superuser may name the attributes SUPERUSER and BYPASSRLS; a new role has none of them. */
async function ensureRole(client: pg.Client, adminUrl: string, role: string): Promise<void> {
  const { rows } = await client.query<{ excessive: boolean }>(
    'SELECT rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb AS excessive FROM pg_roles WHERE rolname = $1',
    [role],
  );
  if (rows[0]?.excessive) throw new StackError(`the role ${role} has rights beyond its databases; take them back`);
  const verb = rows.length === 0 ? 'CREATE' : 'ALTER';
  const password = pg.escapeLiteral(passwordOf(adminUrl, role));
  await client.query(`${verb} ROLE ${identifier(role)} LOGIN PASSWORD ${password}`);
}

/** Only a superuser, or a member of the owner, may create a database for it. */
async function ensureDatabase(client: pg.Client, database: string, owner: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
  if (rowCount !== 0) return;
  const { rows } = await client.query<{ rolsuper: boolean }>(
    'SELECT rolsuper FROM pg_roles WHERE rolname = current_user',
  );
  if (!rows[0]?.rolsuper) await client.query(`GRANT ${identifier(owner)} TO CURRENT_USER`);
  await client.query(`CREATE DATABASE ${identifier(database)} OWNER ${identifier(owner)}`);
}

/** Closes the database to all but the two roles. The owner runs it. */
const closedDoor = (database: string, owner: string, app: string): string => `
  REVOKE ALL ON DATABASE ${identifier(database)} FROM PUBLIC;
  GRANT CONNECT ON DATABASE ${identifier(database)} TO ${identifier(app)};
  ALTER SCHEMA public OWNER TO ${identifier(owner)};
  REVOKE ALL ON SCHEMA public FROM PUBLIC;
  GRANT USAGE ON SCHEMA public TO ${identifier(app)}`;

/**
 * Makes the database `gatehouse_<service><suffix>`, owned by the role `gatehouse_<service>_owner`, and the role
 * `gatehouse_<service>_app`, which may connect and use the schema; migrations grant it rights on tables. Safe to
 * repeat. The administrator needs CREATEROLE and CREATEDB, and need not be a superuser.
 */
export async function provisionDatabase(adminUrl: string, service: string, suffix = ''): Promise<ServiceDatabase> {
  const name = `gatehouse_${service.replaceAll('-', '_')}`;
  const [database, owner, app] = [`${name}${suffix}`, `${name}_owner`, `${name}_app`];
  await underDatabaseLock(adminUrl, 'provision', async () => {
    await connected(adminUrl, async (client) => {
      await ensureRole(client, adminUrl, owner);
      await ensureRole(client, adminUrl, app);
      await ensureDatabase(client, database, owner);
    });
    await connected(urlOf(adminUrl, owner, database), (client) => client.query(closedDoor(database, owner, app)));
  });
  return { database, ownerUrl: urlOf(adminUrl, owner, database), appUrl: urlOf(adminUrl, app, database) };
}

/** Names of the databases that match a pattern of LIKE. */
export function databasesMatching(adminUrl: string, pattern: string): Promise<string[]> {
  return connected(adminUrl, async (client) => {
    const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database WHERE datname LIKE $1', [
      pattern,
    ]);
    return rows.map(({ datname }) => datname);
  });
}

/** Drops a database and its connections, if it exists. */
export async function dropDatabase(adminUrl: string, database: string): Promise<void> {
  await connected(adminUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${identifier(database)} WITH (FORCE)`));
}

async function copy(client: pg.Client, template: string, name: string, owner: string): Promise<void> {
  try {
    await client.query(
      `CREATE DATABASE ${identifier(name)} TEMPLATE ${identifier(template)} OWNER ${identifier(owner)}`,
    );
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== TEMPLATE_BUSY) throw error;
    throw new Error(`${template} cannot be copied while a client is connected to it`, { cause: error });
  }
}

/** Copies a database with its content, its owner and who may connect: a migrated one in a fraction of a second. */
export async function cloneDatabase(adminUrl: string, template: string, name: string): Promise<void> {
  await connected(adminUrl, async (client) => {
    const { rows } = await client.query<{ owner: string; guests: string[] }>(
      `SELECT pg_get_userbyid(datdba) AS owner,
              ARRAY(SELECT pg_get_userbyid(grantee)::text FROM aclexplode(datacl) WHERE privilege_type = 'CONNECT'
                AND grantee <> 0) AS guests
         FROM pg_database WHERE datname = $1`,
      [template],
    );
    const [source] = rows;
    if (source === undefined) throw new Error(`there is no database ${template} to copy`);
    await copy(client, template, name, source.owner);
    await client.query(
      `REVOKE ALL ON DATABASE ${identifier(name)} FROM PUBLIC; GRANT CONNECT ON DATABASE ${identifier(name)} TO ${source.guests.map(identifier).join(', ')}`,
    );
  });
}
