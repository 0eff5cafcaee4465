import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, StackError } from '../stack-error.ts';

const execute = promisify(execFile);

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly uid?: number;
  readonly gid?: number;
}

function lastWords(error: unknown): string {
  const complaint = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  return (complaint || messageOf(error)).split('\n').at(-1) ?? '';
}

/**
 * Runs a command to its end and gives its standard output.
 * @throws StackError with the last line that it wrote to standard error
 */
export async function run(file: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  try {
    const { stdout } = await execute(file, args, { maxBuffer: 16 * 1024 * 1024, ...options });
    return stdout;
  } catch (error) {
    throw new StackError(`${basename(file)} failed: ${lastWords(error)}`, { cause: error });
  }
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// Debian and Homebrew (on Intel, on Apple silicon) keep servers where a user's PATH may not look.
const SYSTEM_DIRECTORIES = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

/** Full name of a program on the PATH, or undefined. */
export function onPath(program: string): string | undefined {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean), ...SYSTEM_DIRECTORIES];
  return directories.map((directory) => join(directory, program)).find(isExecutable);
}

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome'];
/** Chromium without an interface of its own takes a third less CPU, and shows no notifications. */
const PAGES_ONLY = 'chromium-headless-shell';

const firstOf = (names: readonly string[]): string | undefined =>
  process.env['CHROMIUM_PATH'] || names.map(onPath).find((program) => program !== undefined);

/** A Chromium for tests of pages: the one that CHROMIUM_PATH names, else the first on PATH. */
export const findBrowser = (): string | undefined => firstOf([PAGES_ONLY, ...BROWSERS]);

/** A whole Chromium, which shows notifications too. */
export const findWholeBrowser = (): string | undefined => firstOf(BROWSERS);
