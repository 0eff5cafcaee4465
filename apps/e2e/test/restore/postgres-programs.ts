import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';
const NEEDED = ['postgres', 'initdb', 'pg_dump', 'pg_restore'];

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * A directory with a server of PostgreSQL and the programs that dump and restore it, or null. The npm package of the
 * other tests holds the server alone.
 */
export function postgresPrograms(): string | null {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const directories = [
    process.env['GATEHOUSE_TEST_POSTGRES'] ?? '',
    ...debian.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  const whole = (directory: string): boolean => NEEDED.every((program) => isExecutable(join(directory, program)));
  return directories.find((directory) => directory !== '' && whole(directory)) ?? null;
}
