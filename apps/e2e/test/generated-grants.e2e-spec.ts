import type { Api } from '@gatehouse/stack';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { idOf } from './authority/arena.ts';
import { Dice } from './authority/dice.ts';
import { sharedWorld } from './shared-world.ts';
import { makeOrganization, makeTenant, partnerAdministrator, type SharedWorld, type Tenant, until } from './world.ts';

/** `GRANT_STEPS=10000 GATEHOUSE_SEED=…` repeats a longer run. */
const SEED = process.env['GATEHOUSE_SEED'];
const STEPS = Number(process.env['GRANT_STEPS'] ?? 80);
const GRANTS = ['auto_approved', 'approved'];
const MAX_STEPS_OF_A_SCENARIO = 4;
const ENDS = ['revoke', 'freeze', 'move'] as const;

type Json = Readonly<Record<string, unknown>>;
interface Named {
  readonly id: string;
}
interface Agent {
  readonly deviceId: string;
  readonly agentToken: string;
}
interface Answer extends Named {
  readonly status: string;
}

/** What the product grants to Ann without another person, or to Zoe by Ann's vote alone. */
interface Granted {
  readonly toAnn: boolean;
  /** To an API key of hers that is named like Ben. */
  readonly toHerKey: boolean;
  readonly byHerVote: boolean;
  /** Of the three requests and Ann's votes. */
  readonly answers: readonly unknown[];
}

/**
 * Ann may write the rules of her organisation, and is a user of its devices; Ben and Cleo are her colleagues. Ben first
 * writes rules about one signer; then Ann acts. Her acts may ask for more approvals than before, and never for fewer.
 */
describe('generated grants to oneself', () => {
  let world: SharedWorld;
  let tenant: Tenant;
  let elsewhere: { readonly orgId: string; readonly siteId: string };
  let enrollmentKey: string;
  let groupId: string;
  let plain: Agent;
  let guarded: Agent;
  let people: { readonly ann: Api; readonly annsKey: Api; readonly ben: Api; readonly cleo: Api };
  let annsNames: readonly string[];
  let bensEmail: string;
  const dice = new Dice(`${SEED}-grants`);
  const worked = new Map<string, number>();

  const inOrg = (path: string): string => `${path}?orgId=${tenant.orgId}`;

  beforeAll(async () => {
    world = await sharedWorld();
    tenant = await makeTenant(world.admin);
    const other = await makeOrganization(world.admin, tenant.partnerId, `other-${randomUUID().slice(0, 8)}`);
    elsewhere = { orgId: other.orgId, siteId: other.siteId };
    const [ann, ben, cleo] = [await person(), await person(), await person()];
    const emailOf = async (api: Api) => (await api.must<{ user: { email: string } }>('GET', '/auth/me')).user.email;
    const annsEmail = await emailOf(ann);
    bensEmail = await emailOf(ben);
    const account = annsEmail.split('@')[0] ?? '';
    annsNames = [annsEmail, `CORP\\${account}`, `.\\${account.toUpperCase()}`, account];
    const key = { name: bensEmail, permissions: ['devices:read', 'devices:write', 'devices:execute'] };
    const { data } = await ann.must<{ data: { key: string } }>('POST', '/api-keys', key);
    people = { ann, annsKey: world.admin.as(data.key), ben, cleo };
    const { orgId, siteId } = tenant;
    ({ key: enrollmentKey } = await ben.must<{ key: string }>('POST', '/enrollment-keys', {
      orgId,
      siteId,
      name: 'x',
    }));
    groupId = idOf(await ben.must('POST', '/device-groups', { orgId, name: 'Guarded' })) ?? '';
    const levels = [{ name: 'Two people', deviceGroupIds: [groupId], approvals: 2, pendingMinutes: 60 }];
    const separation = { ruleEditors: true, aiRequester: true };
    const forCleo = { orgId, name: 'For Cleo', verdict: 'auto_approve', matchUser: await emailOf(cleo) };
    await ben.eventually('POST', '/pam/rules', forCleo);
    await people.ben.eventually('PUT', inOrg('/pam/approval-policy'), { levels, separation });
  }, 180_000);

  const person = (): Promise<Api> => partnerAdministrator(world, tenant.partnerId);
  const enrolled = (): Promise<Agent> =>
    world.admin
      .as('')
      .must('POST', '/agents/enroll', { enrollmentKey, hostname: `pc-${randomUUID().slice(0, 8)}`, osType: 'windows' });

  const reportOf = (signer: string, user: string): Json => ({
    subject_username: user,
    target_executable_path: `C:\\Tools\\${randomUUID()}.exe`,
    target_executable_signer: signer,
    observed_at: new Date().toISOString(),
  });
  const send = ({ deviceId, agentToken }: Agent, body: Json): Promise<Answer> =>
    world.admin.as(agentToken).eventually('POST', `/agents/${deviceId}/elevation-requests`, body);

  async function granted(signer: string): Promise<Granted> {
    const name = dice.one(annsNames);
    const own = await send(plain, reportOf(signer, name));
    const ask = { deviceId: plain.deviceId, reason: 'because' };
    const keys = await people.annsKey.call('POST', '/pam/elevation-requests', ask);
    const zoes = await send(guarded, reportOf(signer, 'CORP\\zoe'));
    const votes = await Promise.all(
      [own, zoes].map(({ id }) =>
        dice
          .one([people.ann, people.annsKey])
          .call('POST', `/pam/elevation-requests/${id}/respond`, { decision: 'approve' }),
      ),
    );
    const isApproved = (vote: number): boolean => votes[vote]?.body['status'] === 'approved';
    return {
      toAnn: GRANTS.includes(own.status) || (name === annsNames[0] && isApproved(0)),
      toHerKey: GRANTS.includes(String(keys.body['status'])),
      byHerVote: isApproved(1),
      answers: [own, keys.body, zoes, ...votes.map(({ status, body }) => ({ status, body }))],
    };
  }

  /** A device in the group whose requests need two people, once PAM knows that it is in the group. */
  async function guardedDevice(): Promise<Agent> {
    const agent = await enrolled();
    await people.ben.eventually('POST', `/device-groups/${groupId}/devices`, { deviceIds: [agent.deviceId] });
    await until(async () => {
      const { id } = await send(agent, reportOf('Nobody Ltd', 'CORP\\zoe'));
      const { body } = await people.ben.call('GET', `/pam/elevation-requests/${id}`);
      return JSON.stringify(body).includes('"votesRequired":2');
    });
    return agent;
  }

  class Scenario {
    readonly signer = `Signer ${randomUUID().slice(0, 8)}`;
    readonly rules: string[] = [];
    readonly groups: string[] = [];
    readonly trace: string[] = [];

    async tried(who: 'ann' | 'ben', method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: Json) {
      const answer = await people[who].call(method, path, body);
      const outcome = answer.status < 300 ? 'success' : String(answer.body['code']);
      this.trace.push(`${who} ${method} ${path} ${JSON.stringify(body ?? null)} → ${answer.status} ${outcome}`);
      if (answer.status >= 500) throw new Error(this.trace.at(-1));
      const act = `${who} ${method} ${path.split('?')[0]?.replaceAll(/[0-9a-f-]{36}/g, ':id')} ${outcome}`;
      worked.set(act, (worked.get(act) ?? 0) + 1);
      return answer;
    }

    async rule(who: 'ann' | 'ben', changes: Json): Promise<void> {
      const draft = { orgId: tenant.orgId, name: 'Generated', verdict: 'auto_approve', ...changes };
      const { body } = await this.tried(who, 'POST', '/pam/rules', draft);
      const id = idOf(body);
      if (id) this.rules.push(id);
    }

    async group(who: 'ann' | 'ben', signers: readonly string[]): Promise<string> {
      const draft = { orgId: tenant.orgId, name: `Group ${randomUUID()}`, signers };
      const { body } = await this.tried(who, 'POST', '/pam/signer-groups', draft);
      const id = idOf(body) ?? '';
      this.groups.push(id);
      return id;
    }

    /** A grant by Ben that other rules of his deny before it applies, or that does not name the signer yet. */
    async prepare(): Promise<void> {
      const matchSigner = this.signer;
      if (dice.chance(0.7)) await this.rule('ben', { matchSigner, verdict: 'auto_deny', priority: 1 });
      if (dice.chance(0.7)) await this.rule('ben', { matchSigner, priority: 50, enabled: dice.chance(0.7) });
      if (dice.chance(0.5)) {
        const signers = [dice.chance(0.5) ? this.signer : `Not ${this.signer}`];
        await this.rule('ben', { matchSignerGroupId: await this.group('ben', signers), priority: 60 });
      }
    }

    private grant(): Json {
      const criteria = dice.one([{}, {}, { matchUser: dice.one(annsNames) }]);
      return { matchSigner: this.signer, priority: dice.below(100), ...criteria };
    }

    private async replay(): Promise<void> {
      const added = { op: 'add', ref: 'new', rule: { name: 'Generated', verdict: 'auto_approve', ...this.grant() } };
      const removed = this.rules.length > 0 && { op: 'remove', ruleId: dice.one(this.rules) };
      const changes = [added, ...(removed && dice.chance(0.5) ? [removed] : [])];
      const { status, body } = await this.tried('ann', 'POST', '/pam/replays', { orgId: tenant.orgId, changes });
      if (status !== 202) return;
      const job = `/pam/replays/${String(body['jobId'])}`;
      const { summary } = await until(async () => {
        const found = await people.ben.must<{ state: string; summary: { newlyAutoApproved: number } }>('GET', job);
        return found.state === 'completed' && found;
      });
      const confirmed = { acceptNewlyApproved: dice.one([0, summary.newlyAutoApproved]) };
      const applied = await this.tried(dice.one(['ann', 'ben'] as const), 'POST', `${job}/apply`, confirmed);
      for (const rule of (applied.body['rules'] ?? []) as { ruleId?: string; id?: string }[])
        this.rules.push(String(rule.ruleId ?? rule.id));
    }

    private async disabledForATime(id: string): Promise<void> {
      await this.tried('ann', 'PATCH', inOrg(`/pam/rules/${id}`), { enabled: false });
      if (dice.chance(0.3)) await this.tried('ann', 'PATCH', inOrg(`/pam/rules/${id}`), { enabled: true });
    }

    async act(): Promise<void> {
      const rule = this.rules.length > 0 ? dice.one(this.rules) : '';
      const group = this.groups.length > 0 ? dice.one(this.groups) : '';
      const devices = `/device-groups/${groupId}/devices`;
      const choices: (() => Promise<unknown>)[] = [
        () => this.rule('ann', this.grant()),
        () => this.rule('ann', { matchUser: bensEmail, priority: dice.below(100) }),
        () => this.tried('ann', 'PATCH', inOrg(`/pam/rules/${rule}`), { verdict: 'auto_approve', enabled: true }),
        () => this.tried('ann', 'PATCH', inOrg(`/pam/rules/${rule}`), { priority: dice.below(100) }),
        () =>
          this.tried('ann', 'PATCH', inOrg(`/pam/rules/${rule}`), dice.members({ ...this.grant(), name: 'Renamed' })),
        () => this.disabledForATime(rule),
        () => this.tried('ann', 'DELETE', inOrg(`/pam/rules/${rule}`)),
        () => this.tried('ann', 'PATCH', inOrg(`/pam/signer-groups/${group}`), { signers: [this.signer] }),
        async () => this.rule('ann', { matchSignerGroupId: await this.group('ann', [this.signer]) }),
        () => this.replay(),
        () => this.tried('ann', 'DELETE', `${devices}/${guarded.deviceId}`),
        () => this.tried('ann', 'POST', devices, { deviceIds: [guarded.deviceId, plain.deviceId] }),
        () =>
          this.tried('ann', 'POST', '/pam/software-policies', {
            name: this.signer,
            mode: 'allowlist',
            target: { level: 'organization', id: tenant.orgId },
            rules: [{ name: this.signer, signer: this.signer }],
          }),
        () => this.tried('ann', 'PUT', inOrg('/pam/config'), { defaultUnmatchedVerdict: 'require_approval' }),
      ];
      await dice.one(choices)();
    }

    /** Ben ends what was granted to others. @returns what he does when it is over */
    private async end(way: (typeof ENDS)[number], ids: readonly string[]): Promise<() => Promise<unknown>> {
      if (way === 'move') await this.tried('ben', 'POST', `/devices/${plain.deviceId}/move`, elsewhere);
      if (way === 'revoke')
        for (const id of ids)
          await this.tried('ben', 'POST', `/pam/elevation-requests/${id}/revoke`, { reason: 'ends' });
      if (way !== 'freeze') return () => Promise.resolve();
      const freeze = { level: 'device', targetId: plain.deviceId, mode: 'lockdown', revokeOpen: true, reason: 'ends' };
      const { body } = await this.tried('ben', 'POST', '/pam/freezes', freeze);
      return () => this.tried('ben', 'POST', `/pam/freezes/${idOf(body)}/lift`, { reason: 'over' });
    }

    /** What was granted to others ends by Ben's act; neither a repetition nor a queued command brings it back. */
    async endsForGood(): Promise<void> {
      const { deviceId, agentToken } = plain;
      const [asked, report] = [await send(plain, reportOf('Unknown', 'CORP\\zoe')), reportOf(this.signer, 'CORP\\joe')];
      const under = (path: string, body: Json): (() => Promise<Answer>) => {
        const headers = { 'idempotency-key': randomUUID() };
        return async () => {
          const { id = asked.id, status } = (await people.cleo.call('POST', path, body, headers)).body;
          return { id: String(id), status: String(status) };
        };
      };
      const calls = {
        report: () => send(plain, report),
        submission: under('/pam/elevation-requests', { deviceId, reason: 'because' }),
        toolAction: under('/pam/tool-actions', { deviceId, toolName: 'run_script', input: {} }),
        vote: under(`/pam/elevation-requests/${asked.id}/respond`, { decision: 'approve' }),
      };
      const granted = [];
      for (const [name, call] of Object.entries(calls)) {
        const { id, status } = await call();
        if (GRANTS.includes(status)) granted.push({ name, call, id });
      }
      const [way, ids] = [dice.one(ENDS), granted.map(({ id }) => id)];
      const lift = await this.end(way, ids);
      for (const then of [() => Promise.resolve(), lift]) {
        await then();
        for (const { name, call } of granted) {
          await until(async () => !GRANTS.includes((await call()).status), way === 'move' ? 8 : 1);
          worked.set(`${name} after ${way}`, (worked.get(`${name} after ${way}`) ?? 0) + 1);
        }
        const path = `/agents/${deviceId}/commands?waitSeconds=0`;
        const { commands } = await world.admin.as(agentToken).must<{ commands: { payload: Json }[] }>('GET', path);
        expect(commands.filter(({ payload }) => GRANTS.includes(String(payload['status'])))).toEqual([]);
      }
    }
  }

  it(`give Ann nothing that she could not have before (QUORUM-03, GRANT_STEPS=${STEPS}, GATEHOUSE_SEED=${SEED})`, async () => {
    const tally = { scenarios: 0, before: 0, steps: 0 };
    while (tally.steps < STEPS) {
      const scenario = new Scenario();
      [plain, guarded] = [await enrolled(), await guardedDevice()];
      await scenario.prepare();
      const before = await granted(scenario.signer);
      const steps = 1 + dice.below(MAX_STEPS_OF_A_SCENARIO);
      for (let step = 0; step < steps; step++) await scenario.act();
      const after = await granted(scenario.signer);
      const gained = (['toAnn', 'toHerKey', 'byHerVote'] as const).filter((grant) => after[grant] && !before[grant]);
      expect(gained.length > 0 ? [gained, ...scenario.trace, ...after.answers] : []).toEqual([]);
      await scenario.endsForGood();
      tally.scenarios += 1;
      tally.before += Number(before.toAnn);
      tally.steps += steps;
    }
    process.stdout.write(`grants: seed ${SEED}, ${JSON.stringify(tally)}, ${JSON.stringify([...worked])}\n`);
    expect([tally.before > 0, tally.before < tally.scenarios]).toEqual([true, true]);
  }, 3_600_000);

  it('were tried by acts of every kind, with success, and every kind was repeated after its end', () => {
    expect([...worked.keys()].filter((act) => /^ann .* success$/.test(act)).length).toBeGreaterThanOrEqual(8);
    expect(new Set([...worked.keys()].flatMap((act) => /^(\w+) after/.exec(act)?.[1] ?? [])).size).toBe(4);
  });
});
