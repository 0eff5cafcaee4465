import { randomUUID } from 'node:crypto';
import type { Person } from '../person.ts';
import { type Prompt, report } from '../report.ts';
import type { Device, Tenant, World } from '../world.ts';

const VLC = { path: String.raw`C:\Program Files\VideoLAN\vlc.exe`, signer: 'VideoLAN', hash: 'cd'.repeat(32) };
const HP = { path: String.raw`C:\Program Files\HP\DriverAssistant.exe`, signer: 'HP Inc.', user: 'ingrid' };
const SETUP = String.raw`C:\Users\maria\Downloads\setup.exe`;
const GAME = String.raw`C:\Temp\game.exe`;
const CONSOLE = String.raw`C:\Windows\System32\mmc.exe`;
const EDITOR = String.raw`C:\Windows\regedit.exe`;

const RULES = [
  {
    name: 'HP drivers',
    verdict: 'auto_approve',
    matchSigner: 'HP Inc.',
    matchPathGlob: String.raw`C:\Program Files\HP\**`,
  },
  { name: 'Block temporary folders', verdict: 'auto_deny', matchPathGlob: String.raw`C:\Temp\**` },
];

/** What the pictures show, and who looks at it. */
export interface Scene {
  readonly technician: Person;
  readonly administrator: Person;
  readonly tenant: Tenant;
  readonly device: Device;
  /** A request that waits. */
  readonly waiting: string;
  readonly provider: string;
}

async function makePartner({ admin }: World): Promise<string> {
  const slug = `acme-${randomUUID().slice(0, 8)}`;
  return (await admin.must<{ id: string }>('POST', '/orgs/partners', { name: 'Acme MSP', slug, status: 'active' })).id;
}

async function makeRulebook({ admin }: World, { orgId, partnerId }: Tenant, device: Device): Promise<void> {
  for (const rule of RULES) await admin.must('POST', '/pam/rules', { orgId, ...rule });
  const policies = [
    {
      name: 'Never run',
      mode: 'blocklist',
      target: { level: 'partner', id: partnerId },
      rule: { publisher: 'uTorrent' },
    },
    {
      name: 'Office software',
      mode: 'allowlist',
      target: { level: 'organization', id: orgId },
      rule: { signer: 'Adobe Inc.' },
    },
    { name: 'Accounting', mode: 'allowlist', target: { level: 'device', id: device.id }, rule: { signer: 'Visma AS' } },
  ];
  for (const { rule, ...policy } of policies)
    await admin.must('POST', '/pam/software-policies', { ...policy, rules: [{ name: 'by its signature', ...rule }] });
}

/** Requests of a morning: granted and denied by the rules, and two that a technician decided. */
async function makeHistory(
  world: World,
  technician: Person,
  [first, second]: readonly [Device, Device],
): Promise<void> {
  const decided = [await report(first, { ...VLC, user: 'ole' }), await report(second, { path: EDITOR, user: 'kim' })];
  const byRules: Prompt[] = [HP, { path: GAME, user: 'kim' }];
  for (const prompt of byRules) await report(first, prompt);
  const api = await technician.signIn(world.baseUrl);
  const [approved, denied] = decided;
  const reason = 'agreed with the customer';
  await api.must('POST', `/pam/elevation-requests/${approved}/respond`, {
    decision: 'approve',
    durationMinutes: 60,
    reason,
  });
  await api.must('POST', `/pam/elevation-requests/${denied}/respond`, {
    decision: 'deny',
    reason: 'not without a ticket',
  });
}

/** A partner with two customers: rules, policies, decided requests, and some that wait. */
export async function makeScene(world: World): Promise<Scene> {
  const partnerId = await makePartner(world);
  const other = await world.makeOrganization(partnerId, 'Contoso');
  const tenant = await world.makeOrganization(partnerId, 'Northwind');
  const device = await world.makeDevice(tenant, 'LT-0412');
  const desk = await world.makeDevice(tenant, 'WS-88');
  const server = await world.makeDevice(other, 'SRV-2');
  const technician = await world.makePerson('Partner Technician', tenant);
  await makeRulebook(world, tenant, device);
  await makeHistory(world, technician, [device, desk]);
  const provider = await world.makeProvider('oidc', tenant, { name: 'Northwind sign-in' });
  await report(server, { path: CONSOLE, signer: 'Microsoft Windows', user: 'kim' });
  await report(desk, { ...VLC, user: 'ole', reason: 'update' });
  const waiting = await report(device, { path: SETUP, reason: 'printer driver', commandLine: `"${SETUP}" /S` });
  return {
    technician,
    administrator: await world.makePerson('Partner Admin', tenant),
    tenant,
    device,
    waiting,
    provider,
  };
}
