import { bootstrap, fail, REPOSITORY, run } from './bootstrap.mjs';
import { buildConsole } from './console.mjs';
import { fileURLToPath } from 'node:url';

// The journeys of the console through the real product:
//   node tools/journeys.mjs [alone|journeys|scale|screenshots] [patterns and options of Playwright]
// Those that need the product for themselves (alone) run after all others, and bring them along.

/** Resolves with the exit code. Without a browser the journeys are skipped with a message. */
export async function runJourneys(...options) {
  const { findBrowser } = await import('./stack/dist/index.js');
  if (findBrowser() === undefined) {
    process.stderr.write('no Chromium on this machine (CHROMIUM_PATH or PATH): the journeys are skipped\n');
    return 0;
  }
  return run(process.execPath, [
    'node_modules/@playwright/test/cli.js',
    'test',
    '--config',
    'apps/console-e2e',
    ...options,
  ]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.chdir(REPOSITORY);
  await bootstrap();
  if ((await buildConsole()) !== 0) fail('the console could not be built; what Vite said is above');
  const [project = 'alone', ...options] = process.argv.slice(2);
  process.exit(await runJourneys(`--project=${project}`, ...options));
}
