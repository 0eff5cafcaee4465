import { spawn, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// The condition lets the set-up files, which node loads by itself, read workspace packages from their sources too.
const here = dirname(fileURLToPath(import.meta.url));
const repository = join(here, '..');
// Worker threads inherit these flags and run outside of jest: the import lets them read sources too.
const NODE_FLAGS = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  '--conditions=@gatehouse/source',
  '--import',
  pathToFileURL(join(here, 'test-runtime/register.mjs')).href,
];

/** What tests draw depends on the commit alone, so that a failure comes again; GATEHOUSE_SEED draws something else. */
function seedOfCommit() {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: repository, encoding: 'utf8' });
  return Number.parseInt(stdout?.slice(0, 7), 16) || 1;
}

const seed = process.env.GATEHOUSE_SEED ?? String(seedOfCommit());
process.stdout.write(`tests: GATEHOUSE_SEED=${seed}\n`);
const jest = join(repository, 'node_modules/jest/bin/jest.js');
const child = spawn(process.execPath, [...NODE_FLAGS, jest, ...process.argv.slice(2)], {
  cwd: repository,
  stdio: 'inherit',
  env: { ...process.env, GATEHOUSE_SEED: seed },
});

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => process.exit(code ?? 1));
