import type { ScriptedIdp } from '@gatehouse/dev-idp';
import type { Api } from '@gatehouse/stack';
import { randomUUID } from 'node:crypto';
import { idOf } from '../authority/arena.ts';
import { Dice } from '../authority/dice.ts';
import { signInThrough } from '../authority/round-trip.ts';
import { makeOrganization, makeTenant, partnerAdministrator, sql, until, type World } from '../world.ts';

export type Json = Readonly<Record<string, unknown>>;
export interface Agent {
  readonly deviceId: string;
  readonly agentToken: string;
}
export interface Answer {
  readonly id: string;
  readonly status: string;
}
type Name = 'ann' | 'ben' | 'cleo' | 'dora';

export const reportOf = (signer: string, user: string): Json => ({
  subject_username: user,
  target_executable_path: `C:\\Tools\\${randomUUID()}.exe`,
  target_executable_signer: signer,
  observed_at: new Date().toISOString(),
});
const userOf = async (api: Api) => (await api.must<{ user: { id: string; email: string } }>('GET', '/auth/me')).user;

/** A partner whose people act on one field after the other, beside those of other lanes. */
export class Lane {
  private constructor(
    readonly world: World,
    readonly idp: ScriptedIdp,
    readonly dice: Dice,
    readonly partnerId: string,
    readonly elsewhere: { readonly orgId: string; readonly siteId: string },
    readonly people: Readonly<Record<Name | 'annsKey', Api>>,
    readonly emails: Readonly<Record<Name, string>>,
    readonly ids: Readonly<Record<Name, string>>,
  ) {}

  static async open(world: World, idp: ScriptedIdp, seed: string): Promise<Lane> {
    const { partnerId, orgId, siteId } = await makeTenant(world.admin);
    const join = () => partnerAdministrator(world, partnerId);
    const [ann, ben, cleo, dora] = await Promise.all([join(), join(), join(), join()]);
    const users = await Promise.all([ann, ben, cleo, dora].map(userOf));
    const each = <T>(of: (user: { id: string; email: string }) => T): Record<Name, T> => {
      const [anns, bens, cleos, doras] = users.map(of) as [T, T, T, T];
      return { ann: anns, ben: bens, cleo: cleos, dora: doras };
    };
    const emails = each(({ email }) => email);
    const key = { name: emails.ben, permissions: ['devices:read', 'devices:write', 'devices:execute'] };
    const { data } = await ann.must<{ data: { key: string } }>('POST', '/api-keys', key);
    const people = { ann, annsKey: world.admin.as(data.key), ben, cleo, dora };
    // What asks them is pushed to an address that answers 200.
    for (const person of [ann, ben, cleo, dora]) await subscribed(person, idp);
    return new Lane(
      world,
      idp,
      new Dice(seed),
      partnerId,
      { orgId, siteId },
      people,
      emails,
      each(({ id }) => id),
    );
  }

  private turns: number[] = [];

  /** The next of so many acts: each comes up once before any comes again. */
  turn(acts: number): number {
    if (this.turns.length === 0) this.turns = this.dice.shuffled([...Array(acts).keys()]);
    return this.turns.pop() ?? 0;
  }

  get annsNames(): readonly string[] {
    const account = this.emails.ann.split('@')[0] ?? '';
    return [this.emails.ann, `CORP\\${account}`, `.\\${account.toUpperCase()}`, account];
  }

  /** Takes the right to decide from Dora, or gives it back, and waits until PAM knows. */
  async permit(role: 'Partner Admin' | 'Partner Viewer'): Promise<void> {
    const { ben, dora } = this.people;
    const { data: roles } = await ben.must<{ data: { id: string; name: string }[] }>('GET', '/roles?axis=partner');
    const roleId = roles.find(({ name }) => name === role)?.id;
    const membership = { scope: 'partner', partnerId: this.partnerId, roleId, orgAccess: 'all' };
    await ben.must('PATCH', `/users/${this.ids.dora}`, { membership });
    const reach = `SELECT FROM technician_reach WHERE user_id = $1 AND permissions && '{devices:execute,*}'`;
    const may = role === 'Partner Admin';
    await until(async () => (await sql(this.world, 'pam', reach, [this.ids.dora])).length > 0 === may);
    if (may) await until(async () => (await dora.call('GET', '/approvals')).status === 200);
  }
}

/** A service that learns late of the end of the former sessions of a provider refuses new ones for ten seconds. */
const subscribed = (person: Api, { issuer }: ScriptedIdp): Promise<unknown> =>
  person.eventually(
    'POST',
    '/push-subscriptions',
    { kind: 'webhook', endpoint: `${issuer}/jwks?${randomUUID()}` },
    20_000,
  );

/**
 * An organisation of a lane, with an identity provider through which Eve signs in, and a group of devices whose
 * requests need the votes of several people.
 */
export class Field {
  plain!: Agent;
  guarded!: Agent;
  polled!: Agent;
  eve!: Api;
  evesId!: string;
  /** An act has changed what the next scenario would begin with. */
  isSpoilt = false;
  areDevicesSpoilt = false;
  isPolledSpoilt = false;

  private constructor(
    readonly lane: Lane,
    readonly orgId: string,
    readonly groupId: string,
    readonly providerId: string,
    /** The votes that the group demands. */
    readonly needed: number,
    private readonly enrollmentKey: string,
  ) {}

  static async make(lane: Lane): Promise<Field> {
    const { world, partnerId, people, idp, emails } = lane;
    const needed = 2 + lane.dice.below(2);
    const { orgId, siteId } = await makeOrganization(world.admin, partnerId, `field-${randomUUID().slice(0, 8)}`);
    const ofPlace = { orgId, siteId, name: 'x' };
    const { key } = await people.ben.must<{ key: string }>('POST', '/enrollment-keys', ofPlace);
    const groupId = idOf(await people.ben.must('POST', '/device-groups', { orgId, name: 'Guarded' })) ?? '';
    const forCleo = { orgId, name: 'For Cleo', verdict: 'auto_approve', matchUser: emails.cleo };
    await people.ben.eventually('POST', '/pam/rules', forCleo);
    const { data: roles } = await world.admin.must<{ data: { id: string; name: string }[] }>(
      'GET',
      '/roles?axis=organization',
    );
    const { issuer, clientId, clientSecret } = idp;
    const trust = { autoProvision: true, trustsIdpMfa: true, type: 'oidc', issuer, clientId, clientSecret };
    const defaultRoleId = roles.find(({ name }) => name === 'Organization Admin')?.id;
    const provider = { orgId, name: 'Employer', ...trust, defaultRoleId };
    const providerId = idOf(await people.ben.must('POST', '/sso/providers', provider)) ?? '';
    const field = new Field(lane, orgId, groupId, providerId, needed, key);
    await field.switch('active');
    await field.renewPolicy();
    await Promise.all([field.renewEve(), field.renewDevices(), field.renewPolled()]);
    return field;
  }

  inOrg(path: string): string {
    return `${path}?orgId=${this.orgId}`;
  }

  private renewPolicy(): Promise<unknown> {
    const { groupId, needed } = this;
    const levels = [{ name: 'Guarded', deviceGroupIds: [groupId], approvals: needed, pendingMinutes: 60 }];
    const separation = { ruleEditors: true, aiRequester: true };
    return this.lane.people.ben.eventually('PUT', this.inOrg('/pam/approval-policy'), { levels, separation });
  }

  async switch(status: 'active' | 'inactive'): Promise<void> {
    await this.lane.people.ben.must('POST', `/sso/providers/${this.providerId}/status?force=true`, { status });
  }

  /** Another Eve, whom PAM knows. */
  async renewEve(): Promise<void> {
    const { world, idp } = this.lane;
    const email = `eve-${randomUUID()}@employer.example`;
    const identity = { sub: email, email, email_verified: true, name: 'Eve', amr: ['pwd', 'mfa'] };
    const session = await signInThrough(world.admin.as(''), `/sso/login/${this.orgId}`, idp, identity);
    if (!session) throw new Error('Eve could not sign in');
    this.eve = session;
    this.evesId = (await userOf(session)).id;
    await subscribed(session, idp);
    const known = `SELECT FROM technician_ref WHERE user_id = $1`;
    await until(async () => (await sql(world, 'pam', known, [this.evesId])).length > 0);
  }

  async renewDevices(): Promise<void> {
    [this.plain, this.guarded] = await Promise.all([this.enrolled(), this.guardedDevice()]);
    this.areDevicesSpoilt = false;
  }

  async renewPolled(): Promise<void> {
    this.polled = await this.guardedDevice();
    this.isPolledSpoilt = false;
  }

  enrolled(): Promise<Agent> {
    const machine = { hostname: `pc-${randomUUID().slice(0, 8)}`, osType: 'windows' };
    const { enrollmentKey } = this;
    return this.lane.world.admin.as('').must('POST', '/agents/enroll', { enrollmentKey, ...machine });
  }

  send({ deviceId, agentToken }: Agent, body: Json): Promise<Answer> {
    return this.lane.world.admin.as(agentToken).eventually('POST', `/agents/${deviceId}/elevation-requests`, body);
  }

  /** A device in the group, once PAM knows that it is there. */
  private async guardedDevice(): Promise<Agent> {
    const agent = await this.enrolled();
    const { world } = this.lane;
    // By the operator, because who changes the groups of a device counts as an editor.
    await world.admin.eventually('POST', `/device-groups/${this.groupId}/devices`, { deviceIds: [agent.deviceId] });
    const known = 'SELECT FROM device_ref WHERE device_id = $1 AND $2 = ANY (group_ids)';
    await until(async () => (await sql(world, 'pam', known, [agent.deviceId, this.groupId])).length > 0);
    return agent;
  }
}
