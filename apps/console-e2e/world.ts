import { type Api, connected, type Endpoints } from '@gatehouse/stack';
import type { BrowserContext } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Person } from './person.ts';

/** Beside the product run identity providers, a push service, and a name server that finds records in a folder. */
export interface Neighbours {
  readonly oidc: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string };
  /** A provider at which another redirect address than ours is registered. */
  readonly misdirected: Neighbours['oidc'];
  readonly saml: Readonly<Record<'entityId' | 'ssoUrl' | 'metadataUrl' | 'certificate', string>>;
  readonly dnsDirectory: string;
  readonly pushService: string;
}

/** What the workers know of the running product. */
interface Facts {
  readonly neighbours: Neighbours;
  readonly baseUrl: string;
  /** The superuser's address of the database server. */
  readonly postgres: string;
  readonly mailDirectory: string;
  readonly endpoints: Endpoints;
  readonly administrator: { readonly email: string; readonly password: string; readonly totpSecret: string };
}

const SETTING = 'GATEHOUSE_JOURNEYS_FACTS';
const TIMEOUT_MS = 60_000;
const POLL_MS = 100;

/** Hands the facts to the workers, which inherit the environment. */
export const keepFacts = (facts: Facts): void => {
  process.env[SETTING] = JSON.stringify(facts);
};

/** Repeats the check until it returns something other than null; an error counts as null. */
export async function until<T>(check: () => Promise<T | null>): Promise<T> {
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await pause(POLL_MS)) {
    const answer = await check().catch(() => null);
    if (answer !== null) return answer;
  }
  throw new Error(`not so after ${TIMEOUT_MS / 1000} s: ${check.toString()}`);
}

export interface Tenant {
  readonly partnerId: string;
  readonly orgId: string;
  readonly orgName: string;
  readonly siteId: string;
}

export interface Device {
  readonly id: string;
  readonly hostname: string;
  /** Calls the API as the agent of the device. */
  readonly agent: Api;
}

/** Names of the built-in roles that a membership can have. */
export type RoleName =
  | 'Partner Admin'
  | 'Partner Technician'
  | 'Partner Viewer'
  | 'Organization Admin'
  | 'Organization Technician'
  | 'Organization Viewer';

export interface Invitation {
  readonly email: string;
  readonly token: string;
  /** The password that the person will choose. */
  readonly password: string;
}

interface Made {
  readonly id: string;
}

/** The running product, seen by its operator: makes tenants, people and devices through the API. */
export class World {
  private constructor(
    private readonly facts: Facts,
    readonly admin: Api,
    /** Administers the installation. */
    readonly operator: Person,
  ) {}

  get baseUrl(): string {
    return this.facts.baseUrl;
  }

  get neighbours(): Neighbours {
    return this.facts.neighbours;
  }

  /** The superuser's address of the database server, to write what would take hours through the API. */
  get postgres(): string {
    return this.facts.postgres;
  }

  static async open(): Promise<World> {
    const facts = JSON.parse(process.env[SETTING] ?? '{}') as Facts;
    const { baseUrl, administrator } = facts;
    const operator = new Person(administrator.email, administrator.password, administrator.totpSecret);
    // Two workers may read the authenticator in the same half minute; a code is good once.
    const admin = await until(() => operator.signIn(baseUrl));
    return new World(facts, admin, operator);
  }

  /** A partner with one organisation and its main site. */
  async makeTenant(orgName = 'Northwind'): Promise<Tenant> {
    const slug = `journey-${randomUUID().slice(0, 8)}`;
    const made = { name: `Acme ${slug}`, slug, status: 'active' };
    const partner = await this.admin.must<Made>('POST', '/orgs/partners', made);
    return this.makeOrganization(partner.id, orgName);
  }

  async makeTenantWithDevice(): Promise<{ tenant: Tenant; device: Device }> {
    const tenant = await this.makeTenant();
    return { tenant, device: await this.makeDevice(tenant) };
  }

  async makeOrganization(partnerId: string, orgName: string): Promise<Tenant> {
    const slug = `org-${randomUUID().slice(0, 8)}`;
    const org = await this.admin.must<Made>('POST', '/orgs/organizations', { partnerId, name: orgName, slug });
    const site = await this.admin.must<Made>('POST', '/orgs/sites', { orgId: org.id, name: 'Main' });
    // The other services learn of the organisation within seconds, each by itself.
    await this.admin.eventually('GET', `/pam/config?orgId=${org.id}`);
    return { partnerId, orgId: org.id, orgName, siteId: site.id };
  }

  /** An active identity provider of the organisation that makes an account of whom it does not know. */
  async makeProvider(type: 'oidc' | 'saml', { orgId }: Tenant, settings: object = {}): Promise<string> {
    const { oidc, saml } = this.neighbours;
    const { metadataUrl: _, ...samlSettings } = saml;
    const defaultRoleId = await this.roleId('Organization Technician', 'organization');
    const { data } = await this.admin.eventually<{ data: Made }>('POST', '/sso/providers', {
      ...{ name: `Provider of ${type}`, type, ownerScope: 'organization', orgId, autoProvision: true, defaultRoleId },
      ...(type === 'oidc' ? oidc : samlSettings),
      ...settings,
    });
    await this.admin.must('POST', `/sso/providers/${data.id}/status`, { status: 'active' });
    return data.id;
  }

  /** Adds a TXT record, as the owner of a domain would; several organisations can prove one domain at once. */
  publish(name: string, value: string): void {
    appendFileSync(join(this.neighbours.dnsDirectory, name), `${value}\n`);
  }

  /** Claims a mail domain for the organisation and proves it. */
  async proveDomain({ orgId }: Tenant, domain: string): Promise<void> {
    const { data } = await this.admin.eventually<{ data: Made & Record<'recordName' | 'recordValue', string> }>(
      'POST',
      '/sso/domains',
      { orgId, domain },
    );
    this.publish(data.recordName, data.recordValue);
    await this.admin.must('POST', `/sso/domains/${data.id}/verify`, {});
  }

  /** A device whose agent every service knows. */
  async makeDevice({ orgId, siteId }: Tenant, hostname = `pc-${randomUUID().slice(0, 6)}`): Promise<Device> {
    const named = { orgId, siteId, name: hostname };
    const made = await this.admin.must<{ key?: string; data?: { key: string } }>('POST', '/enrollment-keys', named);
    const { deviceId, agentToken } = await this.admin
      .as('')
      .must<{ deviceId: string; agentToken: string }>('POST', '/agents/enroll', {
        enrollmentKey: made.key ?? made.data?.key,
        hostname,
        osType: 'windows',
      });
    const agent = this.admin.as(agentToken);
    await agent.eventually('GET', `/agents/${deviceId}/commands?waitSeconds=0`);
    return { id: deviceId, hostname, agent };
  }

  /** Invites a person by mail. */
  async invite(role: RoleName, { partnerId, orgId }: Tenant, siteIds?: readonly string[]): Promise<Invitation> {
    const scope = role.startsWith('Partner') ? 'partner' : 'organization';
    const place = scope === 'partner' ? { partnerId, orgAccess: 'all' } : { orgId, ...(siteIds && { siteIds }) };
    const email = `${role.split(' ')[1]?.toLowerCase()}-${randomUUID().slice(0, 8)}@journey.example`;
    const roleId = await this.roleId(role, scope);
    const invited = { email, name: `Tess ${role}`, membership: { scope, ...place, roleId } };
    await this.admin.eventually('POST', '/users', invited);
    const token = await until(async () => this.invitationFor(email));
    return { email, token, password: `a long passphrase ${randomUUID()}` };
  }

  /** Someone who has accepted an invitation and enrolled an authenticator. */
  async makePerson(role: RoleName, tenant: Tenant, siteIds?: readonly string[]): Promise<Person> {
    const { email, token, password } = await this.invite(role, tenant, siteIds);
    const { accessToken } = await this.admin
      .as('')
      .must<{ accessToken: string }>('POST', '/auth/accept-invite', { token, password });
    return Person.enrolled(this.admin.as(accessToken), email, password);
  }

  /** Accepts an invitation in a browser, which then has a session without a second factor. */
  async acceptIn({ request }: BrowserContext, { token, password }: Invitation): Promise<void> {
    const data = { token, password, session: 'cookie' };
    const headers = { origin: this.baseUrl };
    const answer = await request.post(`${this.baseUrl}/api/v1/auth/accept-invite`, { data, headers });
    if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`);
  }

  /** Calls the API in the session of a browser. */
  async sessionOf({ request }: BrowserContext): Promise<Api> {
    const answer = await request.post(`${this.baseUrl}/api/v1/auth/refresh`, { headers: { origin: this.baseUrl } });
    const { accessToken } = (await answer.json()) as { accessToken: string };
    return this.admin.as(accessToken);
  }

  /** The last mail to an address, or null before there is one. */
  mailTo(email: string): string | null {
    const directory = this.facts.mailDirectory;
    const mails = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
    return mails.findLast((mail) => mail.includes(`To: ${email}`)) ?? null;
  }

  /** The token of the invitation mailed to an address. */
  invitationFor(email: string): string | null {
    return /accept-invite\?token=([\w-]+)/.exec(this.mailTo(email) ?? '')?.[1] ?? null;
  }

  /** A new address at the push service, as a browser gets one when it subscribes. */
  newPushAddress(): string {
    return `${this.neighbours.pushService}/${randomUUID()}`;
  }

  /** Ends a service as a deployment does. The launcher starts it again; resolves when that has happened. */
  async restart(service: string): Promise<void> {
    const file = join(this.facts.mailDirectory, '../run/services', `${service}.json`);
    const pidNow = () => (JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid;
    const before = pidNow();
    process.kill(before, 'SIGTERM');
    await until(async () => pidNow() !== before || null);
  }

  /** Locks rows of a service while the work goes on, so that what changes them stops there. */
  async holding(service: string, rows: string, work: () => Promise<void>): Promise<void> {
    await connected(this.facts.endpoints.databases[service]?.owner ?? '', async (client) => {
      await client.query("BEGIN; SET LOCAL app.system = 'on'");
      const { rowCount } = await client.query(`${rows} FOR UPDATE`);
      if (!rowCount) throw new Error(`nothing to hold: ${rows}`);
      await work();
      await client.query('ROLLBACK');
    });
  }

  /** Changes rows of a service as only time would. */
  async age(service: string, change: string): Promise<void> {
    await connected(this.facts.endpoints.databases[service]?.owner ?? '', (client) =>
      client.query(`BEGIN; SET LOCAL app.system = 'on'; ${change}; COMMIT`),
    );
  }

  private async roleId(name: RoleName, axis: string): Promise<string> {
    const { data } = await this.admin.must<{ data: (Made & { name: string })[] }>('GET', `/roles?axis=${axis}`);
    const role = data.find((each) => each.name === name);
    if (!role) throw new Error(`there is no role ${name}`);
    return role.id;
  }
}
