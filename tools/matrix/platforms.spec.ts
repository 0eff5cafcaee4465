import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { imagesIn } from './binary-headers.mjs';
import { choiceFor, familiesIn } from './lock-variants.mjs';
import { inspected } from './unpacked-tree.mjs';

const X64 = 0x01000007;
const ARM64 = 0x0100000c;

/** A Mach-O program that loads one library and is signed. */
function machO(processor: number, library: string): Buffer {
  const bytes = Buffer.alloc(32 + 24 + 64 + 16);
  bytes.writeUInt32BE(0xcffaedfe, 0);
  for (const [at, value] of [
    [4, processor],
    [12, 2],
    [16, 3],
    // The least version of macOS: 13.0.
    [32, 0x32],
    [36, 24],
    [44, 13 << 16],
    // A library, named 24 bytes behind the beginning of the command.
    [56, 0xc],
    [60, 64],
    [64, 24],
    [120, 0x1d],
    [124, 16],
  ] as const)
    bytes.writeUInt32LE(value, at);
  bytes.write(library, 80);
  return bytes;
}

function universal(...images: Buffer[]): Buffer {
  const header = Buffer.alloc(8 + images.length * 20);
  header.writeUInt32BE(0xcafebabe, 0);
  header.writeUInt32BE(images.length, 4);
  let offset = header.length;
  images.forEach((image, index) => {
    header.writeUInt32BE(offset, 16 + index * 20);
    header.writeUInt32BE(image.length, 20 + index * 20);
    offset += image.length;
  });
  return Buffer.concat([header, ...images]);
}

describe('what a file says about itself', () => {
  it('is read from the program that runs this test', () => {
    expect(imagesIn(readFileSync(process.execPath))).toContainEqual(
      expect.objectContaining({ system: process.platform, arch: process.arch, isProgram: true }),
    );
  });

  it('is read from a program of macOS, for each processor that it is for', () => {
    const facts = { system: 'darwin', isProgram: true, paths: [], isSigned: true, since: '13.0' };
    expect(imagesIn(universal(machO(X64, '/usr/lib/a.dylib'), machO(ARM64, '@rpath/b.dylib')))).toEqual([
      { ...facts, arch: 'x64', needs: ['/usr/lib/a.dylib'] },
      { ...facts, arch: 'arm64', needs: ['@rpath/b.dylib'] },
    ]);
  });

  it.each([
    ['a text', Buffer.from('#!/bin/sh\n'.repeat(10))],
    ['nothing', Buffer.alloc(0)],
    ['a class of Java', Buffer.concat([Buffer.from('cafebabe00000041', 'hex'), Buffer.alloc(80)])],
  ])('is nothing for %s', (_, bytes) => {
    expect(imagesIn(bytes)).toEqual([]);
  });
});

describe('an unpacked package', () => {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-package-'));
  const program = join(root, 'bin/server');
  const library = join(root, 'lib/libown.1.dylib');
  for (const folder of ['bin', 'lib']) mkdirSync(join(root, folder));
  writeFileSync(program, machO(X64, '@loader_path/../lib/libown.dylib'));
  afterAll(() => rmSync(root, { recursive: true }));

  it('is of no use to another processor', () => {
    expect(inspected(root, { system: 'darwin', arch: 'arm64' }).faults).toEqual([
      'bin/server is for darwin-x64',
      'nothing in it runs on this system',
    ]);
  });

  it('is at fault for what is missing, not executable, or leads nowhere', () => {
    symlinkSync('libown.1.dylib', join(root, 'lib/libown.dylib'));
    expect(inspected(root, { system: 'darwin', arch: 'x64' }).faults).toEqual([
      'bin/server needs @loader_path/../lib/libown.dylib',
      'bin/server is not executable',
      'lib/libown.dylib leads nowhere',
    ]);
  });

  it('is whole when each link leads to a library', () => {
    chmodSync(program, 0o755);
    writeFileSync(library, 'a library');
    const { note, faults } = inspected(root, { system: 'darwin', arch: 'x64' });
    expect(faults).toEqual([]);
    expect(note).toBe('programs: 1, libraries: 0, links: 1, from macOS 13.0 on');
  });
});

const variant = (os: string, cpu: string, more: object = {}): object => ({
  version: '1.0.0',
  os: [os],
  cpu: [cpu],
  ...more,
});

const LOCK = {
  packages: {
    'node_modules/fast': {
      optionalDependencies: {
        '@fast/linux-arm64-gnu': '1',
        '@fast/linux-arm64-musl': '1',
        '@fast/darwin-x64': '1',
        '@fast/wasm32-wasi': '1',
      },
    },
    'node_modules/@fast/linux-arm64-gnu': variant('linux', 'arm64', { libc: ['glibc'] }),
    'node_modules/@fast/linux-arm64-musl': variant('linux', 'arm64', { libc: ['musl'] }),
    'node_modules/@fast/darwin-x64': variant('darwin', 'x64', { version: '0.9.0' }),
    'node_modules/@fast/wasm32-wasi': { version: '1.0.0', cpu: ['wasm32'] },
    'node_modules/plain': { optionalDependencies: { other: '1', 'plain-linux-x64': '1' } },
    'node_modules/other': { version: '1.0.0' },
    'node_modules/plain/node_modules/plain-linux-x64': variant('linux', 'x64'),
  },
};

describe('the variants in a lock file', () => {
  const families = familiesIn(LOCK);
  const [fast, plain] = families;

  it('are found by the systems that they name', () => {
    expect(families.map(({ family, by, variants }) => [family, by, variants.length])).toEqual([
      ['@fast', ['fast'], 4],
      ['plain', ['plain'], 1],
    ]);
  });

  it('are chosen for a system and its C library', () => {
    const { variants, fault } = choiceFor(fast, { system: 'linux', arch: 'arm64' });
    expect(variants.map(({ name }: { name: string }) => name)).toEqual(['@fast/linux-arm64-gnu']);
    expect(fault).toBe('no variant of version 0.9.0');
  });

  it('have a portable one in their place, which is named', () => {
    expect(choiceFor(fast, { system: 'darwin', arch: 'arm64' })).toEqual({
      variants: [],
      fallback: '@fast/wasm32-wasi@1.0.0',
    });
  });

  it('are missed where nothing takes their place', () => {
    expect(choiceFor(plain, { system: 'darwin', arch: 'arm64' }).fault).toBe('neither a variant nor a portable one');
  });
});

describe('the lock file of this repository', () => {
  const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'));

  it.each(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])('lacks nothing for %s', (platform) => {
    const [system, arch] = platform.split('-');
    const choices = familiesIn(lock).map((family) => [family.family, choiceFor(family, { system, arch }).fault]);
    expect(choices.filter(([, fault]) => fault !== undefined)).toEqual([]);
    expect(choices.length).toBeGreaterThan(5);
  });
});
