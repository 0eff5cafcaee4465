import type { RunningProduct } from '@gatehouse/stack';
import { newId } from '@gatehouse/crypto';
import { setMaxListeners } from 'node:events';
import { expectStatus, send } from '../http.ts';
import { type Person, refresh, signInThroughProvider, signInWithPassword, type Tokens } from '../people.ts';
import type { Tenant } from '../tenant.ts';

export interface World {
  readonly product: RunningProduct;
  readonly tenant: Tenant;
  /** Signs its users in at the bundled provider. */
  readonly ssoOrgId: string;
  readonly person: Person;
}

/** A kind of request of which the model counts so many a day. */
export interface Kind {
  readonly name: string;
  /** The database whose statements are counted. */
  readonly database: string;
  /** Makes what this kind uses up; it is driven for as long beforehand. */
  readonly supply?: Kind;
  once(client: number): Promise<unknown>;
}

const REPORT = {
  subject_username: 'ACME\\ada',
  target_executable_path: 'C:\\Program Files\\Tool\\tool.exe',
  target_executable_hash: 'ab'.repeat(32),
  target_executable_signer: 'Example Ltd',
  pid: 4711,
};
const BLOCKED = 'C:\\Blocked\\tool.exe';

async function must(url: string, options?: Parameters<typeof send>[1]): Promise<string> {
  const { status, text } = await send(url, options);
  if (status >= 300) throw new Error(`${url}: ${status} ${text.slice(0, 200)}`);
  return text;
}

/** What a device sends: its devices take turns. */
function agentKinds({ product, tenant }: World, pending: string[]): Kind[] {
  let turn = 0;
  const asAgent = async (path: string, body?: object): Promise<string> => {
    const { id, token } = tenant.devices[turn++ % tenant.devices.length] ?? { id: '', token: '' };
    return must(`${product.baseUrl}/api/v1/agents/${id}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}` },
      body,
    });
  };
  const report = (changes: object): Promise<string> =>
    asAgent('/elevation-requests', {
      ...REPORT,
      command_line: `tool.exe --run ${newId()}`,
      observed_at: new Date().toISOString(),
      ...changes,
    });
  return [
    {
      name: 'report that waits for a person',
      database: 'pam',
      once: async () => void pending.push((JSON.parse(await report({})) as { id: string }).id),
    },
    { name: 'report that a rule decides', database: 'pam', once: () => report({ target_executable_path: BLOCKED }) },
    { name: 'poll for commands, empty', database: 'pam', once: () => asAgent('/commands?waitSeconds=0') },
    { name: 'rules for offline', database: 'pam', once: () => asAgent('/rules') },
    { name: 'settings of the agent', database: 'tenancy', once: () => asAgent('/config') },
  ];
}

/** What a technician's screen asks. */
function technicianKinds({ product, tenant }: World, pending: string[], supply: Kind | undefined): Kind[] {
  const headers = { authorization: `Bearer ${tenant.admin.accessToken}` };
  const asked = (path: string): Promise<string> => must(`${product.baseUrl}/api/v1${path}`, { headers });
  return [
    {
      name: 'decision of a technician',
      database: 'pam',
      ...(supply && { supply }),
      once: () =>
        must(`${product.baseUrl}/api/v1/pam/elevation-requests/${pending.pop()}/respond`, {
          method: 'POST',
          headers,
          body: { decision: 'deny' },
        }),
    },
    { name: 'list of requests', database: 'pam', once: () => asked('/pam/elevation-requests?limit=25') },
    { name: 'list of devices', database: 'tenancy', once: () => asked('/devices?limit=25') },
    { name: 'page of the audit log', database: 'audit', once: () => asked('/audit-logs?limit=25') },
  ];
}

function signInKinds({ product: { baseUrl }, ssoOrgId, person }: World): Kind[] {
  const tokens = new Map<number, Tokens>();
  const sso = (client: number): Promise<Tokens> =>
    signInThroughProvider({ baseUrl, orgId: ssoOrgId, email: `ada+${client}@acme.example` });
  return [
    { name: 'OIDC sign-in', database: 'identity', once: sso },
    { name: 'password sign-in', database: 'identity', once: () => signInWithPassword(baseUrl, person) },
    {
      name: 'refresh of a session',
      database: 'identity',
      once: async (client) => {
        const current = tokens.get(client) ?? (await sso(client));
        tokens.set(client, await refresh(baseUrl, current));
      },
    },
  ];
}

/** Decides at once whatever runs from one folder. */
export const addRule = ({ admin, orgId }: Tenant): Promise<unknown> =>
  admin.must('POST', '/pam/rules', {
    orgId,
    name: 'blocked',
    verdict: 'auto_deny',
    matchPathGlob: 'C:\\Blocked\\*.exe',
    priority: 1,
  });

/** All kinds; decisions use up the reports that wait for a person, which come first. */
export function kindsOf(world: World): Kind[] {
  const pending: string[] = [];
  const ofAgents = agentKinds(world, pending);
  return [...ofAgents, ...technicianKinds(world, pending, ofAgents[0]), ...signInKinds(world)];
}

/** Requests for commands of so many devices that wait at the same time, until stopped. */
export function waitingDevices({ product, tenant }: World, count: number): { stop(): Promise<void> } {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const waits = tenant.devices.slice(0, count).map(({ id, token }) =>
    expectStatus(200, `${product.baseUrl}/api/v1/agents/${id}/commands?waitSeconds=25`, {
      headers: { authorization: `Bearer ${token}` },
      signal: stop.signal,
    }).catch(() => undefined),
  );
  return {
    stop: async () => {
      stop.abort();
      await Promise.all(waits);
    },
  };
}
