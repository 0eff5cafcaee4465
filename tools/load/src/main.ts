import { benchGateway } from './gateway.ts';
import { benchIngest } from './ingest.ts';

const SCENARIOS: Readonly<Record<string, () => Promise<void>>> = { gateway: benchGateway, ingest: benchIngest };

const [name = ''] = process.argv.slice(2);
const scenario = SCENARIOS[name];
if (!scenario) {
  process.stderr.write(`usage: npm run bench -- ${Object.keys(SCENARIOS).join('|')}\n`);
  process.exit(1);
}
process.stdout.write(`${name}: node ${process.version}, ${new Date().toISOString()}\n`);
await scenario();
process.exit(0);
