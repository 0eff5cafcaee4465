import { existsSync, readdirSync } from 'node:fs';
import { bootstrap, fail, install, REPOSITORY, requireSupportedSystem, run } from './bootstrap.mjs';
import { toolProgram } from './programs.mjs';

// Runs a tool of the repository, compiled when it has changed. The first kind needs what `npm start` installs, the
// second everything.

const OF_THE_PRODUCT = ['demo', 'operate', 'agent-sim'];
const OF_DEVELOPMENT = { bench: 'load', openapi: 'openapi', 'service-docs': 'service-docs' };

/**
 * What is compiled for a tool. Contracts and pages are made from the compiled services; what reads a contract, such as
 * the console, need not fit it yet.
 */
function pathsOf(folder) {
  if (folder === 'load') return undefined;
  const apps = readdirSync(`${REPOSITORY}/apps`).map((name) => `apps/${name}`);
  return [`tools/${folder}`, ...apps.filter((app) => existsSync(`${REPOSITORY}/${app}/src/service.ts`))];
}

async function programOf(name) {
  if (OF_THE_PRODUCT.includes(name)) {
    requireSupportedSystem();
    await install();
    return toolProgram(name);
  }
  const folder = OF_DEVELOPMENT[name];
  if (!folder)
    fail(`usage: node tools/run.mjs ${[...OF_THE_PRODUCT, ...Object.keys(OF_DEVELOPMENT)].join('|')} [arguments]`);
  await bootstrap(pathsOf(folder));
  return `${REPOSITORY}/tools/${folder}/dist/main.js`;
}

const [name, ...args] = process.argv.slice(2);
process.exit(await run(process.execPath, [await programOf(name), ...args]));
