import { bootstrap } from './bootstrap.mjs';

await bootstrap();
await import('./stack/dist/main.js');
