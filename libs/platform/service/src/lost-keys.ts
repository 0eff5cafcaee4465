import type { Platform } from './platform.ts';

/**
 * Logs at start-up which stored secrets the service cannot open, and which key the operator must restore. The service
 * starts nevertheless: requests that need none of those secrets succeed.
 */
export async function reportLostKeys({ store, log }: Platform): Promise<void> {
  const report = await store?.sealed
    .report()
    .catch((error: unknown) => log.warn({ err: error }, 'sealed secrets could not be counted'));
  for (const { column, keyId, count, known } of report?.counts ?? []) {
    if (!known)
      log.error(
        { column, keyId, count },
        `stored secrets cannot be opened: bring the key ${keyId} back into SECRET_ENCRYPTION_KEYS, then reseal`,
      );
  }
}
