import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { install, isInstalled, requireSupportedSystem, step } from './bootstrap.mjs';
import { buildConsole } from './console.mjs';
import { requireFreePort, requireTools } from './first-look.mjs';
import { addConsole, servicePrograms, toolProgram } from './programs.mjs';

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

/** The services and the console, made while the servers start. A console that fails stops nothing. */
async function makeProduct() {
  const [programs, code] = await Promise.all([
    step('compiling the services', servicePrograms),
    step('building the console', buildConsole),
  ]);
  if (code === 0) addConsole(programs);
  else process.stderr.write('· the console could not be built; what Vite said is above\n');
}

requireSupportedSystem();
if (!isInstalled()) {
  requireTools();
  await requireFreePort();
}
await install();
const launcher = await step('compiling the launcher', () => toolProgram('stack', 'launch'));
const programs = join(launcher, '../../../programs');
// Node 22 and later compile a program once; the cache goes with the programs when they are compiled again.
const NODE_COMPILE_CACHE = join(programs, '.compile-cache');
const given = process.env.GATEHOUSE_PROGRAMS;
process.env = { ...SPARING, NODE_COMPILE_CACHE, GATEHOUSE_PROGRAMS: programs, ...process.env };
const { launch } = await import(pathToFileURL(launcher).href);
await launch(given ? Promise.resolve() : makeProduct());
