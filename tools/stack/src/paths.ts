import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout; this file lies at the same depth as source and as output. */
export const REPOSITORY = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

const inCheckout = resolve(REPOSITORY, '.stack');

/** What one checkout keeps between runs: data, logs, credentials. A product of its own elsewhere (tests, measurements) names another directory. */
export const STACK_DIRECTORY = resolve(process.env['GATEHOUSE_STACK_DIRECTORY'] || inCheckout);

/** Shared by every run of this checkout, tests included, so that a server is downloaded once. */
export const BINARY_CACHE = resolve(inCheckout, 'bin');
