import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout; this file lies at the same depth as source and as output. */
export const REPOSITORY = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** What one checkout keeps between runs: data, logs, credentials, downloaded servers. */
export const STACK_DIRECTORY = resolve(REPOSITORY, '.stack');

/** Shared by every run of this checkout, tests included, so that a server is downloaded once. */
export const BINARY_CACHE = resolve(STACK_DIRECTORY, 'bin');
