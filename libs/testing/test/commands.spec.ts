import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

describe('each command of the repository', () => {
  it.each(['agent-sim', 'audit-verify', 'demo', 'operate'])('%s says with --help how it is used', (tool) => {
    expect(run(tool, '--help')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^usage: /) });
  });

  it.each([
    ['agent-sim', '--key=x', '--bad'],
    ['agent-sim', '--key=x', '--reports=some'],
    ['agent-sim', '--key=x', '--fleet=0'],
    ['agent-sim', '--key=x', '--fleet=2', '--rate=0'],
    ['agent-sim', '--key=x', '--seconds=soon'],
    ['agent-sim', '--key=x', '--url=nowhere'],
    ['audit-verify', '--bad'],
    ['demo', '--bad'],
    ['demo', 'other'],
    ['operate', 'nonsense'],
    ['operate', 'reseal', '--bad'],
  ])('refuses what it does not know: %s %s %s', (tool, ...args) => {
    expect(run(tool, ...args)).toMatchObject({ status: 2, output: expect.stringContaining('usage: ') });
  });
});

const TOOLS = resolve(import.meta.dirname, '../../../tools');

function run(tool: string, ...args: string[]): { status: number | null; stdout: string; output: string } {
  const program = join(TOOLS, tool, 'dist/main.js');
  // A stack directory without a product: the answer must not depend on one that runs.
  const env = { PATH: process.env['PATH'], GATEHOUSE_STACK_DIRECTORY: '/nowhere' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { env, encoding: 'utf8' });
  return { status, stdout, output: stdout + stderr };
}
