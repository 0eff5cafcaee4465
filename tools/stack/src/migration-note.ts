import pg from 'pg';
import { connected } from './provision.ts';

const DONE = `SELECT count(*)::int AS migrations FROM migrations`;
const NOTE = `SELECT current_database() AS name, shobj_description(oid, 'pg_database') AS note FROM pg_database
  WHERE datname = current_database()`;

/**
 * The number of migrations is part of the note, so that a database brought back from an older copy is migrated again.
 */
const noteOf = (build: string, migrations: number): string => `build ${build}, ${migrations} migrations`;

async function migrationsIn(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ migrations: number }>(DONE);
  return rows[0]?.migrations ?? 0;
}

/** Whether this build has migrated the database before, by a note in the database itself. When in doubt, no. */
export function isMigratedBy(ownerUrl: string, build: string): Promise<boolean> {
  const answer = connected(ownerUrl, async (client) => {
    const { rows } = await client.query<{ note: string | null }>(NOTE);
    const note = rows[0]?.note;
    return typeof note === 'string' && note === noteOf(build, await migrationsIn(client));
  });
  return answer.catch(() => false);
}

/** To be called when the migrations of this build have run. */
export function noteMigration(ownerUrl: string, build: string): Promise<void> {
  return connected(ownerUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(NOTE);
    const name = pg.escapeIdentifier(rows[0]?.name ?? '');
    await client.query(`COMMENT ON DATABASE ${name} IS ${pg.escapeLiteral(noteOf(build, await migrationsIn(client)))}`);
  });
}
