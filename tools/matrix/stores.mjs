import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compile, fail, install, REPOSITORY, requireSupportedSystem, run } from '../bootstrap.mjs';
import { runJest } from '../rings.mjs';
import { unpacked } from './debian.mjs';

// Runs the end-to-end tests on other PostgreSQL servers, one after the other, with packages of Debian:
//   npm run matrix:stores [-- --on 15,17,pgbouncer --tests journey,row-security --workers 1]
// The product is provisioned by an administrator with CREATEROLE and CREATEDB. `pgbouncer` stands before the version of
// PostgreSQL that the tests always have.

const RELEASES = { 15: 'bookworm', 17: 'trixie' };
/** The account that runs PostgreSQL for root must reach the programs, wherever the checkout lies. */
const CACHE = process.getuid() === 0 ? '/var/lib/gatehouse-stack/debian' : join(REPOSITORY, '.stack/bin/debian');

const { values } = parseArgs({
  options: {
    on: { type: 'string', default: '15,17,pgbouncer' },
    tests: { type: 'string', default: '' },
    workers: { type: 'string', default: '1' },
  },
});

/** The server, and what `operate backup` and `restore` run. */
const PROGRAMS = ['initdb', 'postgres', 'pg_dump', 'pg_restore'];

function postgres(version) {
  const directory = `usr/lib/postgresql/${version}/bin`;
  const programs = PROGRAMS.map((program) => `${directory}/${program}`);
  const root = unpacked(CACHE, { release: RELEASES[version], name: `postgresql-${version}`, programs });
  return { GATEHOUSE_TEST_POSTGRES: join(root, directory) };
}

function pgbouncer() {
  const program = 'usr/sbin/pgbouncer';
  const root = unpacked(CACHE, { release: 'trixie', name: 'pgbouncer', programs: [program] });
  return { GATEHOUSE_TEST_PGBOUNCER: join(root, program) };
}

const settingsOf = (store) => (store === 'pgbouncer' ? pgbouncer() : postgres(store));

async function testedOn(store, patterns) {
  const settings = settingsOf(store);
  Object.assign(process.env, settings);
  const began = Date.now();
  const args = [`--maxWorkers=${values.workers}`, ...patterns.flatMap((pattern) => ['--testPathPatterns', pattern])];
  const { code, passed, failed, unstable } = await runJest('e2e', ['e2e'], args);
  for (const name of Object.keys(settings)) delete process.env[name];
  const minutes = ((Date.now() - began) / 60_000).toFixed(0);
  const again = unstable.length > 0 ? `; passed when run again: ${unstable.join(', ')}` : '';
  return { passed: code === 0, line: `${store}: ${passed} passed, ${failed} failed in ${minutes} min${again}` };
}

requireSupportedSystem();
process.chdir(REPOSITORY);
const stores = values.on.split(',');
const unknown = stores.filter((store) => store !== 'pgbouncer' && !RELEASES[store]);
if (unknown.length > 0) fail(`--on takes 15, 17 and pgbouncer, not ${unknown.join(', ')}`);
mkdirSync(CACHE, { recursive: true });
await install();
const programs = mkdtempSync(join(tmpdir(), 'gatehouse-programs-'));
if ((await compile()) || (await run(process.execPath, ['tools/bundle/bundle.mjs', programs])))
  fail('the build failed; what the compiler said is above');
process.env.GATEHOUSE_PROGRAMS = programs;
const results = [];
for (const store of stores) results.push(await testedOn(store, values.tests.split(',').filter(Boolean)));
rmSync(programs, { recursive: true, force: true });
process.stdout.write(`\n${results.map(({ line }) => line).join('\n')}\n`);
process.exit(results.every(({ passed }) => passed) ? 0 : 1);
