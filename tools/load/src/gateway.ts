import { IDENTITY_HEADER, InternalIdentitySigner } from '@gatehouse/auth';
import { startProduct } from '@gatehouse/stack';
import { type Load, measure, type Measured } from './load.ts';
import { fine, median, say, table, whole } from './report.ts';
import { SYSTEM_PRINCIPAL } from './system-principal.ts';
import { makeTenant } from './tenant.ts';

const ROUNDS = 3;
const SECONDS = 5;
const CONNECTIONS = 32;
const PATH = '/api/v1/orgs/sites?limit=10';

const row = (name: string, runs: readonly Measured[]): string[] =>
  [name, whole(median(runs.map(({ perSecond }) => perSecond))), fine(median(runs.map(({ p50 }) => p50))), fine(median(runs.map(({ p99 }) => p99))), String(runs.reduce((sum, { failures }) => sum + failures, 0))];

/** The price of the public door: one read through the gateway against the same read at the service, in turn, in one run. */
export async function benchGateway(): Promise<void> {
  const product = await startProduct({ LOG_LEVEL: 'error' });
  try {
    const { admin } = await makeTenant(product, 1);
    const signer = await InternalIdentitySigner.parse(product.internalIdentityKey);
    const direct = async (): Promise<Load> => {
      const token = await signer.tokenFor('tenancy', { principal: SYSTEM_PRINCIPAL, ip: '127.0.0.1', service: null }, 'bench');
      return { url: `${product.endpoints.services['tenancy']?.url}${PATH}`, seconds: SECONDS, connections: CONNECTIONS, headers: { [IDENTITY_HEADER]: token } };
    };
    const through: Load = { url: `${product.baseUrl}${PATH}`, seconds: SECONDS, connections: CONNECTIONS, headers: { authorization: `Bearer ${admin.accessToken}` } };
    const runs = { direct: [] as Measured[], through: [] as Measured[] };
    for (let round = 0; round < ROUNDS; round++) {
      runs.direct.push(await measure(await direct()));
      runs.through.push(await measure(through));
    }
    say(table([['target', 'req/s', 'p50 ms', 'p99 ms', 'failures'], row('tenancy, directly', runs.direct), row('through the gateway', runs.through)]));
    say(`gateway ratio to the service: ${fine(median(runs.through.map(({ perSecond }) => perSecond)) / median(runs.direct.map(({ perSecond }) => perSecond)))}`);
  } finally {
    await product.stop();
  }
}
