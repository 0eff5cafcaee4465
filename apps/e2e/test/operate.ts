import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OPERATE = join(dirname(fileURLToPath(import.meta.url)), '../../../tools/operate/dist/main.js');

/** Runs an operator's command. @returns its exit code and its whole output */
export const operate = (
  env: Readonly<Record<string, string>>,
  ...words: string[]
): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [OPERATE, ...words],
      { env: { PATH: process.env['PATH'], ...env } },
      (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }),
    );
  });
