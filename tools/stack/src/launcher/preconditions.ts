import { chmodSync, mkdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { STACK_DIRECTORY } from '../paths.ts';
import { endProgram, type PidDirectory } from '../pid-record.ts';
import { isFreeForBrowsers } from '../ports.ts';
import { takeLock } from '../shared/exclusive-lock.ts';
import { errorCode, messageOf, StackError } from '../stack-error.ts';
import { serverAccount } from '../unprivileged.ts';

const NEEDED_MB = 500;
const LEFTOVER_GRACE_MS = 15_000;

/** Makes `.stack`, closed to others as far as the account that runs PostgreSQL allows. */
export function openStackDirectory(): void {
  try {
    mkdirSync(join(STACK_DIRECTORY, 'run'), { recursive: true, mode: 0o700 });
    if (serverAccount() !== undefined) chmodSync(STACK_DIRECTORY, 0o711);
  } catch (error) {
    if (errorCode(error) === 'ENOSPC') throw new StackError(`no space left on the disk of ${STACK_DIRECTORY}`);
    throw new StackError(`${STACK_DIRECTORY} cannot be written: ${messageOf(error)}`);
  }
}

export function requireDiskSpace(): void {
  const { bavail, bsize } = statfsSync(STACK_DIRECTORY);
  const freeMb = Math.floor((bavail * bsize) / 1024 ** 2);
  if (freeMb < NEEDED_MB)
    throw new StackError(
      `only ${freeMb} MB are free on the disk of ${STACK_DIRECTORY}; at least ${NEEDED_MB} MB are needed`,
    );
}

export const LAUNCHER_LOCK = join(STACK_DIRECTORY, 'run', 'launcher.lock');

export async function requireSoleLauncher(): Promise<void> {
  const holder = await takeLock(LAUNCHER_LOCK);
  if (holder !== undefined)
    throw new StackError(
      `this checkout is already running (pid ${holder.pid}); stop it with Ctrl-C there, or with kill ${holder.pid}`,
    );
}

/**
 * Stops services of an earlier start that was killed. A program is stopped only if its pid and start time are on
 * record.
 */
export async function endLeftoverServices(pids: PidDirectory, log: (line: string) => void): Promise<void> {
  const leftovers = pids.living();
  if (leftovers.length > 0) log(`ending what an earlier start left running: ${leftovers.join(', ')}`);
  await Promise.all(
    leftovers.map(async (name) => {
      const record = pids.read(name);
      if (record !== undefined) await endProgram(record, 'SIGTERM', LEFTOVER_GRACE_MS);
      pids.remove(name);
    }),
  );
}

export async function requireGatewayPort(): Promise<number> {
  const setting = process.env['GATEWAY_PORT'] || '3000';
  const port = Number(setting);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new StackError(`GATEWAY_PORT must be a port number, not "${setting}"`);
  if (await isFreeForBrowsers(port)) return port;
  throw new StackError(`port ${port} is taken by another program; choose one with GATEWAY_PORT=${port + 1} npm start`);
}
