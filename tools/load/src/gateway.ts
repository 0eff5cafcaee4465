import { DirectDoor, SYSTEM_PRINCIPAL } from './callers.ts';
import { type Load, measure, type Measured } from './load.ts';
import { type BenchOptions, fine, median, repeated, say, table, whole } from './command-line.ts';
import { untilQuiet, withProduct } from './product.ts';
import { makeTenant } from './tenant.ts';

const CONNECTIONS = 32;
const PATH = '/orgs/sites?limit=10';

const row = (name: string, runs: readonly Measured[]): string[] => [
  name,
  whole(median(runs.map(({ perSecond }) => perSecond))),
  fine(median(runs.map(({ p50 }) => p50))),
  fine(median(runs.map(({ p99 }) => p99))),
  String(runs.reduce((sum, { failures }) => sum + failures, 0)),
];

/** The cost of the gateway: one read through the gateway and the same read at the service, alternating in one run. */
export async function benchGateway({ seconds, rounds }: BenchOptions): Promise<void> {
  await withProduct({}, async (product) => {
    const { admin } = await makeTenant(product, 1);
    const door = await DirectDoor.open(product, 'tenancy');
    const direct = async (): Promise<Load> => ({
      url: door.url(PATH),
      seconds,
      connections: CONNECTIONS,
      headers: await door.headers(SYSTEM_PRINCIPAL, 'system'),
    });
    const through: Load = {
      url: `${product.baseUrl}/api/v1${PATH}`,
      seconds,
      connections: CONNECTIONS,
      headers: { authorization: `Bearer ${admin.accessToken}` },
    };
    const runs = { direct: [] as Measured[], through: [] as Measured[] };
    for (const load of [await direct(), through]) await measure({ ...load, seconds: 1 });
    await repeated(rounds, async () => {
      await untilQuiet(product);
      runs.direct.push(await measure(await direct()));
      runs.through.push(await measure(through));
    });
    say(
      table([
        ['target', 'req/s', 'p50 ms', 'p99 ms', 'failures'],
        row('tenancy, directly', runs.direct),
        row('through the gateway', runs.through),
      ]),
    );
    say(
      `gateway ratio to the service: ${fine(median(runs.through.map(({ perSecond }) => perSecond)) / median(runs.direct.map(({ perSecond }) => perSecond)))}`,
    );
  });
}
