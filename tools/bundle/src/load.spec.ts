import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

describe('the loader of a program', () => {
  let directory = '';

  const write = (program: string): void => writeFileSync(join(directory, 'main.program.js'), program);
  const keptFiles = (): string[] => readdirSync(directory).filter((name) => name.endsWith('.compiled'));
  const start = (): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [join(directory, 'main.js')], { encoding: 'utf8' });

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'gatehouse-load-'));
    copyFileSync(fileURLToPath(new URL('../load.cjs', import.meta.url)), join(directory, 'main.js'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('gives the program its own place, and the packages that are found from there', () => {
    mkdirSync(join(directory, 'node_modules/near'), { recursive: true });
    writeFileSync(join(directory, 'node_modules/near/index.js'), 'module.exports = "a package";');
    write('process.stdout.write(`${require("near")} ${__dirname} ${__filename}`);');
    expect(start().stdout).toBe(`a package ${directory} ${join(directory, 'main.program.js')}`);
  });

  it('keeps what was compiled, and starts from it without writing it again', () => {
    write('process.stdout.write("first");');
    expect(start()).toMatchObject({ status: 0, stdout: 'first' });
    const [kept = ''] = keptFiles();
    const { ino } = statSync(join(directory, kept));
    expect(start()).toMatchObject({ status: 0, stdout: 'first' });
    expect(keptFiles()).toEqual([kept]);
    expect(statSync(join(directory, kept)).ino).toBe(ino);
  });

  it('never runs what it kept of another program, not even of one as long', () => {
    write('process.stdout.write("former");');
    start();
    write('process.stdout.write("latter");');
    expect(start().stdout).toBe('latter');
  });

  it('compiles anew, and keeps that, when what it kept is damaged', () => {
    write('process.stdout.write("whole");');
    start();
    const kept = join(directory, keptFiles()[0] ?? '');
    const whole = readFileSync(kept);
    writeFileSync(kept, whole.subarray(0, whole.length / 2));
    expect(start()).toMatchObject({ status: 0, stdout: 'whole' });
    expect(statSync(kept).size).toBe(whole.length);
  });

  it('keeps nothing of a program that fails, and tells how it ended', () => {
    write('process.exit(3);');
    expect(start().status).toBe(3);
    expect(keptFiles()).toEqual([]);
  });

  it('starts the program where nothing can be kept', () => {
    write('process.stdout.write("kept");');
    start();
    const kept = join(directory, keptFiles()[0] ?? '');
    rmSync(kept);
    mkdirSync(kept);
    expect(start()).toMatchObject({ status: 0, stdout: 'kept', stderr: '' });
    expect(readdirSync(directory).sort()).toEqual(['main.js', 'main.program.js', keptFiles()[0]]);
  });
});
