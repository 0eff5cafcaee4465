import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Api } from '../api.ts';
import { messageOf } from '../stack-error.ts';
import type { DemoContext, DemoReport, DemoSignIn } from './demo.ts';
import { CODE_MS, inviteCustomerAdministrator, inviteStaff, roleId } from './people.ts';

interface Identified {
  readonly id: string;
}
interface Organization extends Identified {
  readonly name: string;
  readonly slug: string;
  readonly siteIds: readonly string[];
}

const VERIFIED_DOMAIN = 'acme.example';
const ORGANIZATIONS = [
  {
    name: 'Acme Manufacturing',
    slug: 'acme',
    sites: ['Headquarters', 'Plant Leipzig'],
    hostnames: ['ACME-LT-01', 'ACME-LT-02', 'ACME-CNC-01'],
  },
  { name: 'Globex', slug: 'globex', sites: ['Main office'], hostnames: ['GLOBEX-PC-01'] },
] as const;

/** Fills an empty system with a demo tenant over the public API; undefined when the system is not empty. */
export async function seedDemo(context: DemoContext): Promise<DemoReport | undefined> {
  const { log } = context;
  const admin = await signedIn(context);
  const { pagination } = await admin.must<{ pagination: { total: number } }>('GET', '/orgs/partners?limit=1');
  if (pagination.total > 0) return undefined;
  log('making a demo tenant: a partner with two organisations');
  const partner = await admin.must<Identified>('POST', '/orgs/partners', {
    name: 'Northwind IT',
    slug: 'northwind',
    type: 'msp',
  });
  const organizations: Organization[] = [];
  for (const plan of ORGANIZATIONS) organizations.push(await makeOrganization(admin, partner.id, plan));
  const staff = await inviteStaff(context, admin, partner.id);
  for (const organization of organizations) {
    await connectProvider(context, admin, organization);
    await makeRules(admin, organization.id);
    await enrolDevices(context, admin, organization);
  }
  const [acme] = organizations;
  const people = acme ? await peopleOf(context, admin, acme) : [];
  return { signIns: [...staff, ...people], tryNext: TRY_NEXT };
}

/**
 * A code is valid once. The code of the half minute before is tried first, so that the present one stays free for a
 * user who signs in now; if it was used, waits for the next, and a little more, because a timer may fire early.
 */
async function signedIn({ gatewayUrl, administrator, log }: DemoContext): Promise<Api> {
  const product = new Api(gatewayUrl);
  try {
    return await product.signIn(administrator, Date.now() - CODE_MS);
  } catch (error) {
    if (!messageOf(error).includes(' /auth/mfa/')) throw error;
    log('the administrator has just signed in: waiting for the next code of the authenticator');
    await pause(CODE_MS - (Date.now() % CODE_MS) + 50);
    return product.signIn(administrator);
  }
}

async function makeOrganization(
  admin: Api,
  partnerId: string,
  { name, slug, sites }: (typeof ORGANIZATIONS)[number],
): Promise<Organization> {
  const { id } = await admin.must<Identified>('POST', '/orgs/organizations', { partnerId, name, slug });
  const siteIds: string[] = [];
  for (const site of sites)
    siteIds.push(
      (await admin.must<Identified>('POST', '/orgs/sites', { orgId: id, name: site, timezone: 'Europe/Berlin' })).id,
    );
  return { id, name, slug, siteIds };
}

async function connectProvider(
  { identityProviderUrl, log }: DemoContext,
  admin: Api,
  { id: orgId, name }: Organization,
): Promise<void> {
  if (identityProviderUrl === undefined) return;
  const provider = {
    orgId,
    name: `${name} sign-in`,
    type: 'oidc',
    issuer: identityProviderUrl,
    clientId: 'gatehouse',
    clientSecret: process.env['DEV_IDP_CLIENT_SECRET'] ?? 'gatehouse-dev-secret',
    allowedDomains: VERIFIED_DOMAIN,
    autoProvision: true,
    trustsIdpMfa: true,
    defaultRoleId: await roleId(admin, 'organization', 'Organization Technician'),
  };
  const { data } = await admin.eventually<{ data: Identified }>('POST', '/sso/providers', provider);
  await admin.must('POST', `/sso/providers/${data.id}/status`, { status: 'active' });
  log(`${name} signs in through the bundled identity provider`);
}

async function makeRules(admin: Api, orgId: string): Promise<void> {
  const rules = [
    { name: 'Known bad file', verdict: 'auto_deny', priority: 5, matchHash: 'b'.repeat(64) },
    {
      name: '7-Zip',
      verdict: 'auto_approve',
      priority: 10,
      matchPathGlob: 'C:/Program Files/7-Zip/*.exe',
      approvalDurationMinutes: 30,
    },
    { name: 'Windows itself', verdict: 'ignore', priority: 20, matchSigner: 'Microsoft Windows' },
  ];
  for (const rule of rules) await admin.eventually('POST', '/pam/rules', { orgId, ...rule });
}

const PROMPTS = [
  { path: 'C:\\Program Files\\7-Zip\\7zFM.exe', signer: 'Igor Pavlov', user: 'ACME\\ada' },
  { path: 'C:\\Users\\Public\\Downloads\\printer-setup.exe', signer: 'Contoso Devices Ltd', user: 'ACME\\grace' },
] as const;

async function enrolDevices(
  { gatewayUrl, log }: DemoContext,
  admin: Api,
  { id: orgId, name, slug, siteIds }: Organization,
): Promise<void> {
  const [siteId] = siteIds;
  const hostnames = ORGANIZATIONS.find((plan) => plan.slug === slug)?.hostnames ?? [];
  const { key } = await admin.must<{ key: string }>('POST', '/enrollment-keys', {
    orgId,
    siteId,
    name: 'Demo devices',
    maxUsage: hostnames.length,
  });
  const product = new Api(gatewayUrl);
  for (const hostname of hostnames) {
    const device = await product.must<{ deviceId: string; agentToken: string }>('POST', '/agents/enroll', {
      enrollmentKey: key,
      hostname,
      osType: 'windows',
      osVersion: '11',
      agentVersion: '1.0.0-sim',
    });
    for (const prompt of PROMPTS) {
      await product
        .as(device.agentToken)
        .eventually('POST', `/agents/${device.deviceId}/elevation-requests`, reportOf(prompt));
    }
  }
  log(`${name} has ${hostnames.length} devices and a first history of elevation requests`);
}

const reportOf = ({ path, signer, user }: (typeof PROMPTS)[number]): object => ({
  subject_username: user,
  target_executable_path: path,
  target_executable_hash: createHash('sha256').update(path).digest('hex'),
  target_executable_signer: signer,
  pid: 4711,
  parent_image: 'C:\\Windows\\explorer.exe',
  command_line: `"${path}"`,
  observed_at: new Date().toISOString(),
});

/** Proves the domain by a record in the name server of the demo. */
async function verifyDomain({ publish, log }: DemoContext, admin: Api, orgId: string): Promise<void> {
  if (publish === undefined) return;
  const { data } = await admin.must<{ data: Identified & { recordName: string; recordValue: string } }>(
    'POST',
    '/sso/domains',
    { orgId, domain: VERIFIED_DOMAIN },
  );
  publish(data.recordName, data.recordValue);
  await admin.must('POST', `/sso/domains/${data.id}/verify`, {});
  log(`${VERIFIED_DOMAIN} is a verified domain`);
}

async function peopleOf(context: DemoContext, admin: Api, { id: orgId }: Organization): Promise<DemoSignIn[]> {
  if (context.identityProviderUrl === undefined) return [];
  await verifyDomain(context, admin, orgId);
  return [
    await inviteCustomerAdministrator(context, admin, orgId),
    {
      who: 'unverified user',
      email: 'grace@acme.example',
      note: 'through the identity provider: is sent away, her e-mail is not verified',
    },
  ];
}

const TRY_NEXT = [
  'reports that keep coming: npm run demo -- --live',
  'new codes of the authenticators: npm run demo -- --codes',
  'walk the whole journey: npm run demo',
  'read the API: /docs',
];
