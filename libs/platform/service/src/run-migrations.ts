import { type DatabaseDefinition, migrate } from '@gatehouse/database';
import { provisionBroker } from '@gatehouse/messaging';

const MAX_REPLICAS = 5;

/** The number of replicas that JetStream keeps of each stream. */
function replicasIn(setting: string | undefined): number {
  const replicas = Number(setting ?? 1);
  if (!Number.isInteger(replicas) || replicas < 1 || replicas > MAX_REPLICAS)
    throw new Error(`NATS_REPLICAS must be a whole number from 1 to ${MAX_REPLICAS}`);
  return replicas;
}

/**
 * The migration command of a service: reads the database addresses of the owner and of the runtime role, and exits the
 * process afterwards. With NATS_ADMIN_URL it also creates missing streams and consumers in the broker, which a service
 * itself has no right to do.
 */
export async function runMigrations(
  definition: DatabaseDefinition,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const suffix = definition.name.toUpperCase();
  const owner = environment[`DATABASE_OWNER_URL_${suffix}`];
  const runtime = environment[`DATABASE_URL_${suffix}`];
  const broker = environment['NATS_ADMIN_URL'];
  if (!owner || !runtime) {
    process.stderr.write(`DATABASE_OWNER_URL_${suffix} and DATABASE_URL_${suffix} must both be set to migrate\n`);
    process.exit(1);
  }
  try {
    if (broker)
      await provisionBroker(broker, {
        replicas: replicasIn(environment['NATS_REPLICAS']),
        filtered: environment['NATS_FILTERED_CONSUMERS'] === 'true',
      });
    const done = await migrate(definition, { owner, runtime });
    process.stdout.write(
      `${JSON.stringify({ service: definition.name, migrated: done, brokerProvisioned: Boolean(broker) })}\n`,
    );
  } catch (error) {
    process.stderr.write(
      `${definition.name}: the migration failed: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exit(1);
  }
}
