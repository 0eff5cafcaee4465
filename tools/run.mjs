import { bootstrap, fail, install, REPOSITORY, requireSupportedSystem, run } from './bootstrap.mjs';
import { toolProgram } from './programs.mjs';

// Runs a tool of the repository, compiled when it has changed. The first kind needs what `npm start` installs, the
// second everything.

const OF_THE_PRODUCT = ['demo', 'operate', 'agent-sim'];
const OF_DEVELOPMENT = { bench: 'load', openapi: 'openapi', 'service-docs': 'service-docs' };

async function programOf(name) {
  if (OF_THE_PRODUCT.includes(name)) {
    requireSupportedSystem();
    await install();
    return toolProgram(name);
  }
  const folder = OF_DEVELOPMENT[name];
  if (!folder)
    fail(`usage: node tools/run.mjs ${[...OF_THE_PRODUCT, ...Object.keys(OF_DEVELOPMENT)].join('|')} [arguments]`);
  await bootstrap();
  return `${REPOSITORY}/tools/${folder}/dist/main.js`;
}

const [name, ...args] = process.argv.slice(2);
process.exit(await run(process.execPath, [await programOf(name), ...args]));
