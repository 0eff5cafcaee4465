import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { install, fail, REPOSITORY, requireSupportedSystem } from '../bootstrap.mjs';

// Runs the product on several versions of Node, one after the other, with binaries of npm's `node-<system>-<cpu>`
// packages:
//   npm run matrix [-- --node 22,24,latest --only start,demo,unit --port 3950 --workers 2]

const PACKAGE = `node-${process.platform}-${process.arch}`;
const CACHE = join(REPOSITORY, '.stack/bin');
const READY_MS = 120_000;
const POLL_MS = 100;
const CHECKS = ['start', 'demo', 'unit'];

const { values } = parseArgs({
  options: {
    node: { type: 'string', default: '22,24,latest' },
    only: { type: 'string', default: CHECKS.join(',') },
    port: { type: 'string', default: '3950' },
    workers: { type: 'string', default: '2' },
  },
});

function npm(args, directory) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: directory, encoding: 'utf8' });
  if (status !== 0) fail(`npm ${args.join(' ')}: ${stderr.trim().split('\n').at(-1)}`);
  return stdout.trim();
}

const byNumber = (a, b) => a.localeCompare(b, 'en', { numeric: true });

/** The path of the binary for `22`, `24` or `latest`; a version is downloaded once. */
function binaryOf(wanted) {
  const listed = npm(['view', `${PACKAGE}@${wanted}`, 'version', '--json'], REPOSITORY);
  const version = [JSON.parse(listed)].flat().sort(byNumber).at(-1);
  const directory = join(CACHE, `node-${version}`);
  if (!existsSync(directory)) download(version, directory);
  return join(directory, 'bin/node');
}

function download(version, directory) {
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(join(CACHE, 'node-next-'));
  npm(['pack', '--silent', `${PACKAGE}@${version}`], work);
  const [archive] = readdirSync(work);
  spawnSync('tar', ['-xzf', archive], { cwd: work, stdio: 'inherit' });
  renameSync(join(work, 'package'), directory);
  rmSync(work, { recursive: true });
}

/** Every program that a program starts by the name `node` is of the same version. */
const environmentOf = (binary, more) => ({
  ...process.env,
  PATH: `${dirname(binary)}${delimiter}${process.env.PATH}`,
  ...more,
});

async function exitCodeOf(binary, args, more) {
  const child = spawn(binary, args, { cwd: REPOSITORY, env: environmentOf(binary, more), stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

async function untilReady(child, url) {
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await pause(POLL_MS)) {
    if (child.exitCode !== null) return false;
    const answer = await fetch(`${url}/healthz`).catch(() => null);
    if (answer?.ok) return true;
  }
  return false;
}

/** Starts the product in a directory of its own, walks the demonstration if wanted, and stops it. */
async function startAndDemo(binary, withDemo) {
  const url = `http://localhost:${values.port}`;
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-matrix-'));
  const settings = { GATEHOUSE_STACK_DIRECTORY: directory, GATEWAY_PORT: values.port, BASE_URL: url };
  const child = spawn(binary, ['tools/start.mjs'], {
    cwd: REPOSITORY,
    env: environmentOf(binary, settings),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const began = Date.now();
    const ready = await untilReady(child, url);
    const results = [['start', ready, ready ? `ready after ${seconds(began)}` : 'not ready']];
    if (ready && withDemo)
      results.push(await timed('demo', () => exitCodeOf(binary, ['tools/run.mjs', 'demo'], settings)));
    return results;
  } finally {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
    rmSync(directory, { recursive: true, force: true });
  }
}

const seconds = (began) => `${((Date.now() - began) / 1000).toFixed(1)} s`;

async function timed(name, work) {
  const began = Date.now();
  const code = await work();
  return [name, code === 0, seconds(began)];
}

const unitTests = (binary) =>
  timed('unit', () =>
    exitCodeOf(binary, ['tools/jest.mjs', '--selectProjects', 'unit', `--maxWorkers=${values.workers}`, '--silent']),
  );

async function resultsOn(binary, checks) {
  const results = [];
  if (checks.includes('start') || checks.includes('demo'))
    results.push(...(await startAndDemo(binary, checks.includes('demo'))));
  if (checks.includes('unit')) results.push(await unitTests(binary));
  return results;
}

requireSupportedSystem();
const checks = values.only.split(',');
const unknown = checks.filter((check) => !CHECKS.includes(check));
if (unknown.length > 0) fail(`--only takes ${CHECKS.join(', ')}, not ${unknown.join(', ')}`);
await install();
const lines = [];
for (const wanted of values.node.split(',')) {
  const binary = binaryOf(wanted);
  const version = spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout.trim();
  for (const [name, passed, note] of await resultsOn(binary, checks))
    lines.push([passed, `${version}  ${name}  ${passed ? 'passed' : 'FAILED'}  ${note}`]);
}
process.stdout.write(`\n${lines.map(([, line]) => line).join('\n')}\n`);
process.exit(lines.every(([passed]) => passed) ? 0 : 1);
