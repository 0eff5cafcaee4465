import {
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { writeWhole } from './paths.ts';

it('a file written anew keeps its content for an open reader, and is whole for every other', () => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-whole-'));
  const file = join(directory, 'endpoints.json');
  writeWhole(file, 'before');
  const reading = openSync(file, 'r');
  writeWhole(file, 'after');
  expect([readFileSync(reading, 'utf8'), readFileSync(file, 'utf8')]).toEqual(['before', 'after']);
  expect(readdirSync(directory)).toEqual(['endpoints.json']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  rmSync(directory, { recursive: true });
});

it('a secret is not written through a link that lies where its file or the draft of this process would be', () => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-whole-'));
  const file = join(directory, 'credentials.json');
  const foreign = join(directory, 'foreign');
  writeFileSync(foreign, 'before');
  for (const link of [file, `${file}.${process.pid}`, `${file}.${process.pid}.draft`]) symlinkSync(foreign, link);
  writeWhole(file, 'secret');
  expect([readFileSync(foreign, 'utf8'), readFileSync(file, 'utf8')]).toEqual(['before', 'secret']);
  expect(lstatSync(file).isFile()).toBe(true);
  rmSync(directory, { recursive: true });
});
