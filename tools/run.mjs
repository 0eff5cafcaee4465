import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap, fail, REPOSITORY, run } from './bootstrap.mjs';

const TOOLS = { demo: 'demo', bench: 'load', openapi: 'openapi', 'service-docs': 'service-docs', operate: 'operate' };

const [name, ...args] = process.argv.slice(2);
const tool = TOOLS[name];
if (tool === undefined) fail(`usage: node tools/run.mjs ${Object.keys(TOOLS).join('|')} [arguments]`);
await bootstrap();
const program = `tools/${tool}/dist/main.js`;
if (!existsSync(join(REPOSITORY, program))) fail(`${program} is not there after the build`);
process.exit(await run(process.execPath, [program, ...args]));
