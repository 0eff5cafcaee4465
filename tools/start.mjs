import { bootstrap } from './bootstrap.mjs';
import { buildConsole } from './console.mjs';

await bootstrap(undefined, buildConsole);
await import('./stack/dist/main.js');
