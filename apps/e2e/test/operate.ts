import { programOf, toolProgram } from '@gatehouse/stack';
import { execFile } from 'node:child_process';

const OPERATE = process.env['GATEHOUSE_PROGRAMS'] ? programOf('operate') : toolProgram('operate');

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
