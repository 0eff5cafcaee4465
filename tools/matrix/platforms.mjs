import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { compile, fail, install, REPOSITORY, requireSupportedSystem } from '../bootstrap.mjs';
import { closureOf } from './closure.mjs';
import { unpackedTree } from './debian.mjs';
import { emulatedChecks } from './emulated.mjs';
import { choiceFor, familiesIn } from './lock-variants.mjs';
import { inspected } from './unpacked-tree.mjs';
import { unpackedPackage } from './variant-packages.mjs';

// Inspects what other systems would run: packages of npm for them, Debian's servers for arm64, and, where it can, runs
// the programs for arm64 Linux under emulation. On Debian, with about 1 GB of downloads:
//   npm run matrix:platforms [-- --on linux-arm64,darwin-x64,darwin-arm64]

const PLATFORMS = ['linux-arm64', 'darwin-x64', 'darwin-arm64'];
/** The launcher fetches NATS from Debian 13 or later, Redis from any release. */
const SERVERS = [
  { release: 'trixie', name: 'nats-server', program: 'usr/sbin/nats-server' },
  { release: 'bookworm', name: 'redis-server', program: 'usr/bin/redis-server' },
  { release: 'trixie', name: 'redis-server', program: 'usr/bin/redis-server' },
];

const { values } = parseArgs({ options: { on: { type: 'string', default: PLATFORMS.join(',') } } });

const launcher = (file) => import(pathToFileURL(join(REPOSITORY, 'tools/stack/dist/binaries', file)).href);

/** What the launcher finds in the packages of npm: unpacked, with the links that packages cannot hold. */
async function checkOfVariant(home, variant, platform) {
  const { restoreLinks } = await launcher('postgres-binaries.js');
  const root = unpackedPackage(home, variant);
  restoreLinks(join(root, 'native'));
  const { note, faults } = inspected(root, platform);
  return { name: `${variant.name}@${variant.version}`, passed: faults.length === 0, note: faults.join('; ') || note };
}

async function* checksOfPackages(home, platform) {
  const lock = JSON.parse(readFileSync(join(REPOSITORY, 'package-lock.json'), 'utf8'));
  for (const family of familiesIn(lock)) {
    const { variants, fallback, fault } = choiceFor(family, platform);
    if (fault || fallback)
      yield { name: family.family, passed: !fault, note: fault ?? `no variant; instead: ${fallback}` };
    for (const variant of variants) yield await checkOfVariant(home, variant, platform);
  }
}

async function* checksOfDebian(cache) {
  const { packageNames } = await launcher('debian-packages.js');
  for (const { release, name, program } of SERVERS) {
    const root = unpackedTree(cache, { release, name, architecture: 'arm64' });
    const { count, faults } = closureOf(root, program, { system: 'linux', arch: 'arm64' }, packageNames);
    yield {
      name: `${name} of Debian ${release}`,
      passed: faults.length === 0,
      note: faults[0] ?? `libraries: ${count}`,
    };
  }
}

async function* checksOn(name, temporary) {
  const [system, arch] = name.split('-');
  const home = join(temporary, name);
  mkdirSync(home);
  yield* checksOfPackages(home, { system, arch });
  if (system !== 'linux') return;
  yield* checksOfDebian(temporary);
  yield* await emulatedChecks(temporary, home);
}

requireSupportedSystem();
const platforms = values.on.split(',');
const unknown = platforms.filter((platform) => !PLATFORMS.includes(platform));
if (unknown.length > 0) fail(`--on takes ${PLATFORMS.join(', ')}, not ${unknown.join(', ')}`);
await install();
if (await compile(['tools/stack'])) fail('the build failed; what the compiler said is above');
const temporary = mkdtempSync(join(tmpdir(), 'gatehouse-platforms-'));
// The account that runs PostgreSQL for root must reach the programs.
chmodSync(temporary, 0o755);
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));
for (const platform of platforms) {
  for await (const { name, passed, note } of checksOn(platform, temporary)) {
    if (!passed) process.exitCode = 1;
    process.stdout.write(`${platform}  ${name}  ${passed ? 'passed' : 'FAILED'}  ${note}\n`);
  }
}
