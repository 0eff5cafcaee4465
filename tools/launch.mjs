import { join } from 'node:path';
import { bootstrap, fail, isInstalled } from './bootstrap.mjs';
import { buildConsole } from './console.mjs';
import { requireFreePort, requireTools } from './first-look.mjs';
import { bundlePrograms } from './programs.mjs';

/**
 * On a developer's machine the services wait more than they work: with a small young generation and two arenas of
 * the allocator they hold a third less memory (docs/performance.md). Blocks from 128 KB on, such as the text of a
 * program while it is read, go back to the system when they are freed: without the setting glibc raises that limit.
 */
const SPARING = {
  GATEHOUSE_NODE_OPTIONS: '--max-semi-space-size=4 --no-allocation-site-pretenuring',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
};

if (!isInstalled()) {
  requireTools();
  await requireFreePort();
}
await bootstrap(undefined, buildConsole);
process.env.GATEHOUSE_PROGRAMS ||= (await bundlePrograms()) ?? fail('Gatehouse cannot start: bundling failed');
// Node 22 and later compile a program once; the cache goes with the programs when they are bundled again.
const NODE_COMPILE_CACHE = join(process.env.GATEHOUSE_PROGRAMS, '.compile-cache');
process.env = { ...SPARING, NODE_COMPILE_CACHE, ...process.env };
await import('./stack/dist/main.js');
