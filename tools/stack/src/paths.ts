import { randomUUID } from 'node:crypto';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout; this file lies equally deep as source, as output, and as the launcher of `npm start`. */
export const REPOSITORY = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

const inCheckout = resolve(REPOSITORY, '.stack');

/**
 * The directory in which one checkout keeps data, logs and credentials. Tests and measurements name another directory.
 */
export const STACK_DIRECTORY = resolve(process.env['GATEHOUSE_STACK_DIRECTORY'] || inCheckout);

/** Shared by every run of this checkout, tests included, so that a server is downloaded once. */
export const BINARY_CACHE = resolve(inCheckout, 'bin');

/**
 * A program of a service: as the compiler leaves it, or as the images have it when GATEHOUSE_PROGRAMS names what
 * `tools/bundle` made.
 */
export function programOf(service: string, name: 'main' | 'migrate' = 'main'): string {
  const bundles = process.env['GATEHOUSE_PROGRAMS'];
  return bundles
    ? join(resolve(bundles), 'dist', service, `${name}.js`)
    : join(REPOSITORY, 'apps', service, 'dist', `${name}.js`);
}

/** A tool beside this one: as `npm start` compiles it, or as the compiler leaves it. */
export function toolProgram(tool: string): string {
  const beside = fileURLToPath(new URL(`../${tool}/main.js`, import.meta.url));
  return existsSync(beside) ? beside : join(REPOSITORY, 'tools', tool, 'dist/main.js');
}

/**
 * Writes a file that only its owner may read. A concurrent reader finds the whole new content or the old one. The draft
 * is made exclusively: a link that another account has put in its place is not followed.
 */
export function writeWhole(file: string, text: string): void {
  const draft = `${file}.${randomUUID()}.draft`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
