import { type DatabaseDefinition, migrate } from '@gatehouse/database';

/** The migration command of a service: reads the owner's and the runtime role's addresses, and ends the process. */
export async function runMigrations(definition: DatabaseDefinition, environment: Readonly<Record<string, string | undefined>>): Promise<void> {
  const suffix = definition.name.toUpperCase();
  const owner = environment[`DATABASE_OWNER_URL_${suffix}`];
  const runtime = environment[`DATABASE_URL_${suffix}`];
  if (!owner || !runtime) {
    process.stderr.write(`DATABASE_OWNER_URL_${suffix} and DATABASE_URL_${suffix} must both be set to migrate\n`);
    process.exit(1);
  }
  try {
    const done = await migrate(definition, { owner, runtime });
    process.stdout.write(`${JSON.stringify({ service: definition.name, migrated: done })}\n`);
  } catch (error) {
    process.stderr.write(`${definition.name}: the migration failed: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
