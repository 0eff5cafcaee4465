import { benchCapacity } from './capacity/capacity.ts';
import { benchExport } from './export.ts';
import { benchFleet } from './fleet.ts';
import { benchGateway } from './gateway.ts';
import { benchHostile } from './hostile.ts';
import { benchHostileSaml } from './hostile-saml.ts';
import { benchIngest } from './ingest.ts';
import { benchLists } from './lists.ts';
import { benchLogin } from './login.ts';
import { benchMatcher } from './matcher.ts';
import { readOptions, type Scenario } from './command-line.ts';
import { benchQueue } from './queue.ts';
import { benchReplay } from './replay.ts';
import { benchTenancy } from './tenancy.ts';
import { benchVersions } from './versions.ts';
import { benchWaiting } from './waiting.ts';

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  gateway: benchGateway,
  ingest: benchIngest,
  fleet: benchFleet,
  login: benchLogin,
  lists: benchLists,
  tenancy: benchTenancy,
  queue: benchQueue,
  matcher: benchMatcher,
  replay: benchReplay,
  export: benchExport,
  hostile: benchHostile,
  'hostile-saml': benchHostileSaml,
  capacity: benchCapacity,
  waiting: benchWaiting,
  versions: benchVersions,
};

const [name = '', ...args] = process.argv.slice(2);
const scenario = SCENARIOS[name];
if (!scenario) {
  process.stderr.write(
    `usage: npm run bench -- ${Object.keys(SCENARIOS).join('|')} [--seconds N] [--rounds N] [--history ROWS] [--replicas N] [--agents N] [--before REVISION]\n`,
  );
  process.exit(1);
}
process.stdout.write(`${name}: node ${process.version}, ${new Date().toISOString()}\n`);
await scenario(readOptions(args));
process.exit(0);
