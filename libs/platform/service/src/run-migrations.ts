import { databaseSettings } from '@gatehouse/contracts-core';
import { type DatabaseDefinition, migrate } from '@gatehouse/database';
import { provisionBroker } from '@gatehouse/messaging';
import { databaseAddress, natsAddress, type StoreSettings } from './config/store-addresses.ts';

const MAX_REPLICAS = 5;

const storeSettingsOf = (environment: Readonly<Record<string, string | undefined>>): StoreSettings => ({
  isProduction: environment['NODE_ENV'] === 'production',
  plainTextStores: environment['PLAIN_TEXT_STORES'],
  databaseCaFile: environment['DATABASE_CA_FILE'] || undefined,
  natsCaFile: environment['NATS_CA_FILE'] || undefined,
});

/** The number of replicas that JetStream keeps of each stream. */
function replicasIn(setting: string | undefined): number {
  const replicas = Number(setting ?? 1);
  if (!Number.isInteger(replicas) || replicas < 1 || replicas > MAX_REPLICAS)
    throw new Error(`NATS_REPLICAS must be a whole number from 1 to ${MAX_REPLICAS}`);
  return replicas;
}

/** What all streams may hold together, in bytes. */
function bytesIn(gibibytes: string | undefined): number | undefined {
  if (!gibibytes) return undefined;
  const bytes = Number(gibibytes) * 2 ** 30;
  if (!(bytes > 0)) throw new Error('NATS_STREAMS_GIB must be a number of gibibytes above 0');
  return bytes;
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
  const names = databaseSettings(definition.name);
  const owner = environment[names.owner];
  const runtime = environment[names.app];
  const broker = environment['NATS_ADMIN_URL'];
  if (!owner || !runtime) {
    process.stderr.write(`${names.owner} and ${names.app} must both be set to migrate\n`);
    process.exit(1);
  }
  try {
    const settings = storeSettingsOf(environment);
    const address = databaseAddress(names.owner, owner, settings);
    if (broker) {
      const { url, caFile } = natsAddress('NATS_ADMIN_URL', broker, settings);
      await provisionBroker(url, {
        replicas: replicasIn(environment['NATS_REPLICAS']),
        bytes: bytesIn(environment['NATS_STREAMS_GIB']),
        filtered: environment['NATS_FILTERED_CONSUMERS'] === 'true',
        caFile,
      });
    }
    const done = await migrate(definition, { owner: address, runtime });
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
