import { compile, install, requireSupportedSystem } from './bootstrap.mjs';
import { buildConsole } from './console.mjs';

requireSupportedSystem();
await install({ all: true });
process.exit((await compile()) || (await buildConsole()));
