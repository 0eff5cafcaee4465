import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Child<T> {
  /** What it said when it was ready. */
  readonly ready: T;
  stop(): Promise<void>;
}

/**
 * Runs a program of this folder in a process of its own, so that its CPU time is nobody else's; it says in one line of
 * JSON that it is ready.
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
  return { ready: JSON.parse(line) as T, stop };
}

/** The child's side: says that it is ready, and ends with its parent, however that ends. */
export function serveParent(ready: object): void {
  process.stdout.write(`${JSON.stringify(ready)}\n`);
  process.stdin.resume().once('end', () => process.exit(0));
}
