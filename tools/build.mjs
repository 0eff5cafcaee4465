import { compile, install, requireSupportedSystem } from './bootstrap.mjs';

requireSupportedSystem();
await install();
process.exit(await compile());
