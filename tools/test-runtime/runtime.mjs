import { readFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { configureGlobal } from 'fast-check';
import Runtime from 'jest-runtime';
import { compiledPlace } from './load.mjs';

const require = createRequire(import.meta.url);
register('./load.mjs', import.meta.url);
configureGlobal({ seed: Number(process.env.GATEHOUSE_SEED) });

/** Jest requires this module, and takes its default export because of this. */
export const __esModule = true;

const SUITE = Symbol.for('gatehouse.suite');
let runs = 0;

/** Finds the map of a compiled source when a stack is printed. */
const sourceMaps = {
  get(url) {
    if (!/^file:.*\.ts(?:\?|$)/.test(url)) return undefined;
    const path = fileURLToPath(url);
    return compiledPlace(path, readFileSync(path, 'utf8')).map;
  },
  *[Symbol.iterator]() {},
};

/**
 * Imports suites as node does, instead of in a sandbox: a service and its packages are loaded once per worker, not once
 * per suite, which took more than two seconds each time. `jest.mock` of modules does not work here.
 */
export default class NativeRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    this.suite = args[6];
  }

  /** The framework, with a state of its own for each suite. */
  requireInternalModule(path) {
    delete require.cache[path];
    return require(path);
  }

  async unstable_importModule(path) {
    globalThis[SUITE] = this.jestGlobals.cjsGlobals(this.suite);
    runs += 1;
    return import(`${pathToFileURL(path).href}?run=${runs}`);
  }

  getSourceMaps() {
    return sourceMaps;
  }
}
