import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { generate } from 'otplib';
import { Api } from './api.ts';
import type { DemoContext, DemoReport, DemoSignIn } from './demo.ts';
import { messageOf } from './stack-error.ts';

interface Identified {
  readonly id: string;
}
interface Organization extends Identified {
  readonly name: string;
  readonly slug: string;
  readonly siteIds: readonly string[];
}

const TECHNICIAN = 'tess@northwind.example';
/** RFC 6238 5.2 */
const CODE_MS = 30_000;
const MAIL_PATIENCE_MS = 10_000;
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
  const technician = await inviteTechnician(context, admin, partner.id);
  for (const organization of organizations) {
    await connectProvider(context, admin, organization);
    await makeRules(admin, organization.id);
    await enrolDevices(context, admin, organization);
  }
  return { signIns: [...technician, ...peopleOf(context)], tryNext: tryNext(context, organizations) };
}

/**
 * A code is valid once. The code of the half minute before is tried first, so that the present one stays free for a
 * user who signs in now; if it was used, waits for the next.
 */
async function signedIn({ gatewayUrl, administrator, log }: DemoContext): Promise<Api> {
  const product = new Api(gatewayUrl);
  try {
    return await product.signIn(administrator, Date.now() - CODE_MS);
  } catch (error) {
    if (!messageOf(error).includes(' /auth/mfa/')) throw error;
    log('the administrator has just signed in: waiting for the next code of the authenticator');
    await pause(CODE_MS - (Date.now() % CODE_MS));
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

async function roleId(admin: Api, axis: 'partner' | 'organization', name: string): Promise<string> {
  const { data } = await admin.must<{ data: { id: string; name: string }[] }>('GET', `/roles?axis=${axis}`);
  const role = data.find((one) => one.name === name);
  if (!role) throw new Error(`there is no role ${name}`);
  return role.id;
}

/** The invitation is read from the mail directory; a product that sends its mails gets no demo technician. */
async function inviteTechnician(
  { gatewayUrl, mailDirectory, log }: DemoContext,
  admin: Api,
  partnerId: string,
): Promise<DemoSignIn[]> {
  if (mailDirectory === undefined) return [];
  const membership = {
    scope: 'partner',
    partnerId,
    orgAccess: 'all',
    roleId: await roleId(admin, 'partner', 'Partner Technician'),
  };
  await admin.eventually('POST', '/users', { email: TECHNICIAN, name: 'Tess Technician', membership });
  const password = randomBytes(12).toString('base64url');
  const token = await invitationToken(mailDirectory);
  const product = new Api(gatewayUrl);
  const accepted = await product.must<{ accessToken: string }>('POST', '/auth/accept-invite', { token, password });
  const tess = product.as(accepted.accessToken);
  const { secret } = await tess.must<{ secret: string }>('POST', '/auth/mfa/totp/enroll', {});
  await tess.must('POST', '/auth/mfa/totp/confirm', { code: await generate({ secret }) });
  log('a technician is ready');
  return [{ who: 'technician', email: TECHNICIAN, password, note: `authenticator key ${secret}` }];
}

/** Mails of earlier releases are quoted-printable. */
const plainMail = (mail: string): string =>
  /^content-transfer-encoding: quoted-printable/im.test(mail)
    ? mail.replace(/=\r?\n/g, '').replace(/=3D/gi, '=')
    : mail;

async function invitationToken(directory: string): Promise<string> {
  for (const deadline = Date.now() + MAIL_PATIENCE_MS; Date.now() < deadline; await pause(100)) {
    const names = await readdir(directory).catch(() => []);
    for (const name of names.filter((one) => one.endsWith('.eml'))) {
      const mail = plainMail(await readFile(join(directory, name), 'utf8'));
      const token = mail.includes(TECHNICIAN) && /accept-invite\?token=([\w.~-]+)/.exec(mail)?.[1];
      if (token) return token;
    }
  }
  throw new Error(`no invitation arrived in ${directory}`);
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
    allowedDomains: 'acme.example',
    autoProvision: true,
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

function peopleOf({ identityProviderUrl }: DemoContext): DemoSignIn[] {
  if (identityProviderUrl === undefined) return [];
  return [
    { who: 'user of Acme', email: 'ada@acme.example', note: 'through the identity provider, any password' },
    {
      who: 'unverified user',
      email: 'grace@acme.example',
      note: 'through the identity provider: is sent away, her e-mail is not verified',
    },
  ];
}

function tryNext({ publicUrl, identityProviderUrl }: DemoContext, [acme]: readonly Organization[]): string[] {
  const signIn = identityProviderUrl && acme ? [`sign in as Ada: ${publicUrl}/api/v1/sso/login/${acme.id}`] : [];
  return [...signIn, 'walk the whole journey: npm run demo', 'read the API: /docs'];
}
