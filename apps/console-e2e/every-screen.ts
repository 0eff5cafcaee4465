import type { Page, Request } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { untilDrawn } from './browser.ts';
import { report } from './report.ts';
import { type Tenant, until, type World } from './world.ts';

/** A screen of the console, as the table beside its sources has it. */
export interface Screen {
  /** The operation without which the screen shows nothing. */
  readonly needs: string | null;
  readonly search?: string;
  /** Tells about a whole organisation, so it is not for those who are confined to sites. */
  readonly beyondSites?: true;
  /** The controls that change a whole organisation. */
  readonly controlsBeyondSites?: readonly string[];
  /** What changes there reaches every organisation of the partner. */
  readonly partnerWide?: true;
  /** Other names for what the route calls by the name of another thing. */
  readonly names?: Readonly<Record<string, string>>;
  /**
   * What begins a change there, by its label, and the operation in which it ends. A label that ends in a star stands
   * for all that begin like it.
   */
  readonly controls: Readonly<Record<string, string>>;
}

const TABLE = join(import.meta.dirname, '../console/test/screens.json');
/** Every screen of the console by its route. */
export const SCREENS = JSON.parse(readFileSync(TABLE, 'utf8')) as Readonly<Record<string, Screen>>;

/** A tenant in which every screen has something to show. */
export interface Scene {
  readonly tenant: Tenant;
  /** The ids by which routes name things. */
  readonly ids: Readonly<Record<string, string>>;
}

interface Made {
  readonly id: string;
}

const VLC = { path: String.raw`C:\Program Files\VideoLAN\vlc.exe`, signer: 'VideoLAN', hash: 'ab'.repeat(32) };

/** @returns the id of what was made, whatever it is wrapped in */
async function make({ admin }: World, path: string, body: object): Promise<string> {
  const answer = await admin.eventually('POST', path, body);
  const isMade = (value: unknown): value is Made => typeof value === 'object' && value !== null && 'id' in value;
  const made = [answer, ...Object.values(answer)].find(isMade);
  if (!made) throw new Error(`POST ${path} tells no id`);
  return made.id;
}

/** A request that waits, one in force, a rule, and the replay of another one, which would change something. */
async function makeElevations(world: World, tenant: Tenant) {
  const { admin } = world;
  const { orgId } = tenant;
  const device = await world.makeDevice(tenant, 'lt-0042');
  const active = await report(device, { ...VLC, user: 'kim' });
  await admin.must('POST', `/pam/elevation-requests/${active}/respond`, { decision: 'approve', durationMinutes: 480 });
  const requestId = await report(device, { ...VLC, user: 'maria', reason: 'a lesson' });
  const draft = { orgId, name: 'No games', verdict: 'auto_deny', matchSigner: 'Valve' };
  const ruleId = await make(world, '/pam/rules', draft);
  const changes = [{ op: 'add', ref: 'new', rule: { name: 'VLC', verdict: 'auto_approve', matchHash: VLC.hash } }];
  const replay = { orgId, name: 'Allow VLC', windowDays: 30, changes };
  const { jobId } = await admin.must<{ jobId: string }>('POST', '/pam/replays', replay);
  await until(async () => {
    const { state } = await admin.must<{ state: string }>('GET', `/pam/replays/${jobId}?orgId=${orgId}`);
    return state === 'completed' || null;
  });
  const frozen = await world.makeDevice(tenant, 'lt-0043');
  await make(world, '/pam/freezes', { level: 'device', targetId: frozen.id, reason: 'lost in a taxi' });
  return { deviceId: device.id, requestId, ruleId, replayId: jobId };
}

/** What decides besides rules. */
async function makePolicies(world: World, { partnerId, orgId }: Tenant) {
  const { admin } = world;
  await admin.must('POST', '/pam/signer-groups', { orgId, name: 'Office', signers: ['Microsoft'] });
  const ofPartner = { ownerScope: 'partner', partnerId };
  await admin.must('POST', '/pam/signer-groups', { ...ofPartner, name: 'Games', signers: ['Valve'] });
  const partnerRuleId = await make(world, '/pam/rules', {
    ...ofPartner,
    name: 'No games anywhere',
    verdict: 'auto_deny',
    matchSigner: 'Valve',
    precedence: 'before',
    optOut: 'allowed',
  });
  const policyId = await make(world, '/pam/software-policies', {
    name: 'No games',
    mode: 'blocklist',
    target: { level: 'organization', id: orgId },
    rules: [{ name: 'Steam', signer: 'Valve' }],
  });
  const capture = {
    name: 'Capture',
    ownerScope: 'organization',
    orgId,
    features: { pam: { uacInterceptionEnabled: true } },
  };
  const captureId = await make(world, '/configuration-policies', capture);
  const assignment = { level: 'organization', targetId: orgId };
  await admin.must('POST', `/configuration-policies/${captureId}/assignments`, assignment);
  return { policyId, captureId, partnerRuleId };
}

async function makeInventory(world: World, { orgId }: Tenant, deviceId: string) {
  const { admin } = world;
  const groupId = await make(world, '/device-groups', { orgId, name: 'Kiosks' });
  await admin.must('POST', `/device-groups/${groupId}/devices`, { deviceIds: [deviceId] });
  await admin.must('POST', `/orgs/organizations/${orgId}/contacts`, { name: 'Kim' });
  const place = { ownerScope: 'organization', orgId };
  await admin.must('POST', '/custom-fields', { name: 'Asset', fieldKey: 'asset', type: 'text', ...place });
  await admin.must('POST', '/scripts', { name: 'Clean up', content: 'echo', availability: 'organization', orgId });
  return { groupId };
}

/** @returns the reference of a sign-in that the provider refused */
async function refusedSignIn({ baseUrl }: World, { orgId }: Tenant): Promise<string> {
  const start = await fetch(`${baseUrl}/api/v1/sso/login/${orgId}`, { redirect: 'manual' });
  const addressIn = ({ headers }: Response): URL => new URL(headers.get('location') ?? '');
  const state = addressIn(start).searchParams.get('state') ?? '';
  const cookie = start.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const back = `${baseUrl}/api/v1/sso/callback?state=${state}&error=access_denied`;
  const refused = await fetch(back, { redirect: 'manual', headers: { cookie } });
  return addressIn(refused).searchParams.get('attempt') ?? '';
}

async function makePeople(world: World, tenant: Tenant) {
  const { admin } = world;
  const { orgId } = tenant;
  const draft = { orgId, name: 'Reader', axis: 'organization', permissions: ['devices:read'] };
  const roleId = await make(world, '/roles', draft);
  const { email } = await world.makePerson('Organization Viewer', tenant);
  await world.invite('Organization Viewer', tenant);
  const { data } = await admin.must<{ data: (Made & { email: string })[] }>('GET', `/users?orgId=${orgId}`);
  const userId = data.find((person) => person.email === email)?.id ?? '';
  const providerId = await world.makeProvider('oidc', tenant);
  await admin.must('POST', '/sso/domains', { orgId, domain: `${orgId}.example` });
  await admin.must('POST', '/sso/setup-links', { orgId });
  const testId = await make(world, `/sso/providers/${providerId}/test-sign-ins`, {});
  return { roleId, userId, providerId, testId, attemptId: await refusedSignIn(world, tenant) };
}

export async function makeScene(world: World): Promise<Scene> {
  const tenant = await world.makeTenant();
  const { partnerId, orgId } = tenant;
  const [survivor, elevations, policies, people] = await Promise.all([
    world.makeOrganization(partnerId, 'Contoso'),
    makeElevations(world, tenant),
    makePolicies(world, tenant),
    makePeople(world, tenant),
  ]);
  const inventory = await makeInventory(world, tenant, elevations.deviceId);
  const entryId = await until(async () => {
    const { data } = await world.admin.must<{ data: Made[] }>('GET', `/audit-logs?orgId=${orgId}&limit=1`);
    return data[0]?.id ?? null;
  });
  const ids = { orgId, survivorId: survivor.orgId, entryId, ...elevations, ...policies, ...people, ...inventory };
  return { tenant, ids };
}

/** The address of a screen; null while nothing is known by a name in it. */
export function addressOf(route: string, ids: Scene['ids']): string | null {
  const { search = '', names = {} } = SCREENS[route] ?? {};
  const idOf = (name: string) => ids[names[name] ?? name];
  const parts = [...`${route}${search}`.matchAll(/\$(\w+)/g)].map(([, name = '']) => name);
  if (parts.some((name) => idOf(name) === undefined)) return null;
  return `${route}${search}`.replaceAll(/\$(\w+)/g, (_, name: string) => idOf(name) ?? '');
}

/** Goes from screen to screen without loading the console anew. */
export class Tour {
  private underWay = 0;

  constructor(private readonly page: Page) {
    const count = (by: number) => (request: Request) => {
      if (!request.url().includes('/events/stream')) this.underWay += by;
    };
    page.on('request', count(1));
    page.on('requestfinished', count(-1));
    page.on('requestfailed', count(-1));
  }

  /** Opens an address, and waits until all that it shows has been read. */
  async visit(address: string): Promise<void> {
    await this.page.locator('main :is(h1, h2)').first().waitFor();
    // The index by which the console tells Back from other ways.
    await this.page.evaluate((to) => {
      const { __TSR_index: index = 0 } = (history.state ?? {}) as { __TSR_index?: number };
      history.pushState({ __TSR_index: index + 1 }, '', to);
    }, address);
    await this.settle();
  }

  async settle(): Promise<void> {
    await this.page.locator('main :is(h1, h2)').first().waitFor();
    for (let quiet = 0; quiet < 3; quiet = (await this.isBusy()) ? 0 : quiet + 1) await this.page.evaluate(untilDrawn);
  }

  private async isBusy(): Promise<boolean> {
    return this.underWay > 0 || (await this.page.locator('main [aria-busy=true]').count()) > 0;
  }
}
