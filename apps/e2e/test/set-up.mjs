import { register } from 'node:module';

// Lets the main process of jest read sources as its workers do: not all packages can be required.
register('../../../tools/test-runtime/load.mjs', import.meta.url);

/** The set-up of the end-to-end tests. */
export default async () => (await import('./shared-world.ts')).default();
