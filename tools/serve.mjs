import { bootstrap, fail } from './bootstrap.mjs';

const [service] = process.argv.slice(2);
if (!service) fail('usage: npx nx serve <service>');
await bootstrap([`apps/${service}`, 'tools/stack']);
await import('./stack/dist/serve.js');
