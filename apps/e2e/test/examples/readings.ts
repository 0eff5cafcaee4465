import { ROUTES } from '../audit/contract.ts';
import { type Recorded, Recorder } from '../audit/recorder.ts';
import type { Stage } from '../audit/stage.ts';
import { tenantThings } from '../tenant-things.ts';
import { makeTenant } from '../world.ts';

/** Calls that end neither by themselves nor with JSON, and those that need a thing which only a scene has. */
const OTHER_ANSWERS = /stream|export|saml|callback|\/sso\/login|vapid-key|merge-runs|\/approvals\/\{|recovery/;

/** Reads everything that can be read of a tenant, for the examples of the contract. */
export async function readings({ world, boss, system, anonymous }: Stage): Promise<readonly Recorded[]> {
  const tenant = await makeTenant(world.admin);
  const log = new Recorder(world.product.baseUrl, tenant);
  const things = Object.entries(await tenantThings(world, tenant));
  const routes = ROUTES.filter(({ method, route }) => method === 'GET' && !OTHER_ANSWERS.test(route));
  for (const { route, kind, levels } of routes.filter((each) => !['agent', 'setup'].includes(each.kind))) {
    const path = route.replace('GET ', '');
    const [id = tenant.orgId] = things.filter(([start]) => path.startsWith(`${start}/{`)).map(([, each]) => each);
    const query = /^\/pam\/(rules|rules\/lint|rules\/usage|replays|signer-groups|config)$/.test(path)
      ? `?orgId=${tenant.orgId}`
      : '';
    const caller = kind === 'public' ? anonymous : levels?.includes('system') === false ? boss : system;
    await log.call(route, { as: caller, params: { id, orgId: id }, query, told: [], status: 'any' });
  }
  return log.calls;
}
