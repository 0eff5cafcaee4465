import { createHash } from 'node:crypto';
import { chmodSync, lutimesSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

// What the image's layer is made of besides contents: the times and modes of the files. Two builds give the same ones.

const DIRECTORY = 0o755;
const FILE = 0o644;

const pathsIn = (directory) => readdirSync(directory, { recursive: true }).sort();

/**
 * Seconds since 1970 of every file, as reproducible builds agree on:
 * https://reproducible-builds.org/specs/source-date-epoch
 */
const epochOf = ({ SOURCE_DATE_EPOCH }) => Number(SOURCE_DATE_EPOCH || 0);

/** Gives all files and directories one time and one of two modes. */
export function settle(directory, environment = process.env) {
  const time = epochOf(environment);
  for (const path of ['', ...pathsIn(directory)].reverse().map((name) => join(directory, name))) {
    chmodSync(path, statSync(path).isDirectory() ? DIRECTORY : FILE);
    lutimesSync(path, time, time);
  }
}

/** A digest over paths, modes, times and contents. */
export function digestOf(directory) {
  const hash = createHash('sha256');
  for (const name of pathsIn(directory)) {
    const path = join(directory, name);
    const { mode, mtimeMs } = statSync(path);
    const isFile = statSync(path).isFile();
    hash.update(
      `${name}\0${mode}\0${mtimeMs}\0${isFile ? createHash('sha256').update(readFileSync(path)).digest('hex') : ''}\n`,
    );
  }
  return `sha256:${hash.digest('hex')}`;
}
