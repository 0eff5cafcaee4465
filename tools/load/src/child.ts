import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Child<T> {
  /** The message with which it reported that it is ready. */
  readonly ready: T;
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * Runs a program of this folder in a separate process, so that its CPU time is measured apart. The program prints one
 * line of JSON when it is ready.
 */
export async function startChild<T>(program: string, args: readonly string[] = []): Promise<Child<T>> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(program, import.meta.url)), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const first = once(createInterface(child.stdout), 'line') as Promise<[string]>;
  const died = exit.then(() => {
    throw new Error(`${program} ended before it was ready`);
  });
  const [line] = await Promise.race([first, died]);
  died.catch(() => undefined);
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await exit;
  };
  return { ready: JSON.parse(line) as T, pid: child.pid ?? 0, stop };
}

/** The child's side: reports that it is ready, and ends when its parent ends. */
export function serveParent(ready: object): void {
  process.stdout.write(`${JSON.stringify(ready)}\n`);
  process.stdin.resume().once('end', () => process.exit(0));
}
