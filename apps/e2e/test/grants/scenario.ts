import { randomUUID } from 'node:crypto';
import { idOf } from '../authority/arena.ts';
import { until } from '../world.ts';
import { type Answer, type Field, type Json, reportOf } from './field.ts';
import type { Trace } from './trace.ts';

export const GRANTS = ['auto_approved', 'approved'];
const ENDS = ['revoke', 'freeze', 'move'] as const;

/** What the product grants to Ann without another person, or to Zoe by Ann's vote alone. */
interface Granted {
  readonly toAnn: boolean;
  /** To an API key of hers that is named like Ben. */
  readonly toHerKey: boolean;
  readonly byHerVote: boolean;
  /** Of the three requests and Ann's votes. */
  readonly answers: readonly unknown[];
}

/** Ben's rules about one signer, what Ann does then, and how what was granted ends. */
export class Scenario {
  readonly signer = `Signer ${randomUUID().slice(0, 8)}`;
  private readonly rules: string[] = [];
  private readonly groups: string[] = [];

  constructor(
    private readonly field: Field,
    private readonly trace: Trace,
  ) {}

  private get dice() {
    return this.field.lane.dice;
  }

  async granted(): Promise<Granted> {
    const { field, signer } = this;
    const { people, annsNames } = field.lane;
    const name = this.dice.one(annsNames);
    const voters = [0, 1].map(() => this.dice.one([people.ann, people.annsKey]));
    const ask = { deviceId: field.plain.deviceId, reason: 'because' };
    const [own, keys, zoes] = await Promise.all([
      field.send(field.plain, reportOf(signer, name)),
      people.annsKey.call('POST', '/pam/elevation-requests', ask),
      field.send(field.guarded, reportOf(signer, 'CORP\\zoe')),
    ]);
    const votes = await Promise.all(
      [own, zoes].map(({ id }, at) =>
        voters[at]!.call('POST', `/pam/elevation-requests/${id}/respond`, { decision: 'approve' }),
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

  private async rule(who: 'ann' | 'ben', changes: Json): Promise<void> {
    const draft = { orgId: this.field.orgId, name: 'Generated', verdict: 'auto_approve', ...changes };
    const { body } = await this.trace.tried(who, 'POST', '/pam/rules', draft);
    const id = idOf(body);
    if (id) this.rules.push(id);
  }

  private async group(who: 'ann' | 'ben', signers: readonly string[]): Promise<string> {
    const draft = { orgId: this.field.orgId, name: `Group ${randomUUID()}`, signers };
    const { body } = await this.trace.tried(who, 'POST', '/pam/signer-groups', draft);
    const id = idOf(body) ?? '';
    this.groups.push(id);
    return id;
  }

  /** A grant by Ben; after the first of a run, other rules of his may deny before it, or it may not name the signer. */
  async prepare(isFirst: boolean): Promise<void> {
    const { dice, signer: matchSigner } = this;
    if (isFirst) return this.rule('ben', { matchSigner });
    if (dice.chance(0.7)) await this.rule('ben', { matchSigner, verdict: 'auto_deny', priority: 1 });
    if (dice.chance(0.7)) await this.rule('ben', { matchSigner, priority: 50, enabled: dice.chance(0.7) });
    if (dice.chance(0.5)) {
      const signers = [dice.chance(0.5) ? this.signer : `Not ${this.signer}`];
      await this.rule('ben', { matchSignerGroupId: await this.group('ben', signers), priority: 60 });
    }
  }

  private grant(): Json {
    const criteria = this.dice.one([{}, {}, { matchUser: this.dice.one(this.field.lane.annsNames) }]);
    return { matchSigner: this.signer, priority: this.dice.below(100), ...criteria };
  }

  private async replay(): Promise<void> {
    const { dice, field, trace } = this;
    const added = { op: 'add', ref: 'new', rule: { name: 'Generated', verdict: 'auto_approve', ...this.grant() } };
    const removed = this.rules.length > 0 && { op: 'remove', ruleId: dice.one(this.rules) };
    const changes = [added, ...(removed && dice.chance(0.5) ? [removed] : [])];
    const { status, body } = await trace.tried('ann', 'POST', '/pam/replays', { orgId: field.orgId, changes });
    const [applier, acceptsAll] = [dice.one(['ann', 'ben'] as const), dice.chance(0.5)];
    if (status !== 202) return;
    const job = `/pam/replays/${String(body['jobId'])}`;
    const { summary } = await until(async () => {
      const found = await field.lane.people.ben.must<{ state: string; summary: { newlyAutoApproved: number } }>(
        'GET',
        job,
      );
      return found.state === 'completed' && found;
    });
    const confirmed = { acceptNewlyApproved: acceptsAll ? summary.newlyAutoApproved : 0 };
    const applied = await trace.tried(applier, 'POST', `${job}/apply`, confirmed);
    for (const rule of (applied.body['rules'] ?? []) as { ruleId?: string; id?: string }[])
      this.rules.push(String(rule.ruleId ?? rule.id));
  }

  private async disabledForATime(path: string): Promise<void> {
    await this.trace.tried('ann', 'PATCH', path, { enabled: false });
    if (this.dice.chance(0.3)) await this.trace.tried('ann', 'PATCH', path, { enabled: true });
  }

  /** Ann changes the groups of devices, which the next scenario must not begin with. */
  private async regroup(method: 'POST' | 'DELETE', path: string, body?: Json): Promise<void> {
    if (await this.trace.done('ann', method, path, body)) this.field.areDevicesSpoilt = true;
  }

  async act(): Promise<void> {
    const { dice, field, trace } = this;
    const rule = field.inOrg(`/pam/rules/${this.rules.length > 0 ? dice.one(this.rules) : ''}`);
    const group = field.inOrg(`/pam/signer-groups/${this.groups.length > 0 ? dice.one(this.groups) : ''}`);
    const devices = `/device-groups/${field.groupId}/devices`;
    const { plain, guarded, orgId } = field;
    const choices: (() => Promise<unknown>)[] = [
      () => this.rule('ann', this.grant()),
      () => this.rule('ann', { matchUser: field.lane.emails.ben, priority: dice.below(100) }),
      () => trace.tried('ann', 'PATCH', rule, { verdict: 'auto_approve', enabled: true }),
      () => trace.tried('ann', 'PATCH', rule, { priority: dice.below(100) }),
      () => trace.tried('ann', 'PATCH', rule, dice.members({ ...this.grant(), name: 'Renamed' })),
      () => this.disabledForATime(rule),
      () => trace.tried('ann', 'DELETE', rule),
      () => trace.tried('ann', 'PATCH', group, { signers: [this.signer] }),
      async () => this.rule('ann', { matchSignerGroupId: await this.group('ann', [this.signer]) }),
      () => this.replay(),
      () => this.regroup('DELETE', `${devices}/${guarded.deviceId}`),
      () => this.regroup('POST', devices, { deviceIds: [guarded.deviceId, plain.deviceId] }),
      () =>
        trace.tried('ann', 'POST', '/pam/software-policies', {
          name: this.signer,
          mode: 'allowlist',
          target: { level: 'organization', id: orgId },
          rules: [{ name: this.signer, signer: this.signer }],
        }),
      () => trace.tried('ann', 'PUT', field.inOrg('/pam/config'), { defaultUnmatchedVerdict: 'require_approval' }),
    ];
    await choices[field.lane.turn(choices.length)]!();
  }

  /** Ben ends what was granted to others. @returns what he does when it is over */
  private async end(way: (typeof ENDS)[number], ids: readonly string[]): Promise<() => Promise<unknown>> {
    const { trace, field } = this;
    const { deviceId } = field.plain;
    if (way === 'move') await trace.tried('ben', 'POST', `/devices/${deviceId}/move`, field.lane.elsewhere);
    if (way === 'revoke')
      await Promise.all(
        ids.map((id) => trace.tried('ben', 'POST', `/pam/elevation-requests/${id}/revoke`, { reason: 'ends' })),
      );
    if (way !== 'freeze') return () => Promise.resolve();
    const freeze = { level: 'device', targetId: deviceId, mode: 'lockdown', revokeOpen: true, reason: 'ends' };
    const { body } = await trace.tried('ben', 'POST', '/pam/freezes', freeze);
    return () => trace.tried('ben', 'POST', `/pam/freezes/${idOf(body)}/lift`, { reason: 'over' });
  }

  private calls(asked: Answer): Readonly<Record<string, () => Promise<Answer>>> {
    const { field } = this;
    const { plain } = field;
    const { deviceId } = plain;
    const report = reportOf(this.signer, 'CORP\\joe');
    const under = (path: string, body: Json): (() => Promise<Answer>) => {
      const headers = { 'idempotency-key': randomUUID() };
      return async () => {
        const { id = asked.id, status } = (await field.lane.people.cleo.call('POST', path, body, headers)).body;
        return { id: String(id), status: String(status) };
      };
    };
    return {
      report: () => field.send(plain, report),
      submission: under('/pam/elevation-requests', { deviceId, reason: 'because' }),
      toolAction: under('/pam/tool-actions', { deviceId, toolName: 'run_script', input: {} }),
      vote: under(`/pam/elevation-requests/${asked.id}/respond`, { decision: 'approve' }),
    };
  }

  /** What was granted to others ends by Ben's act; neither a repetition nor a queued command brings it back. */
  async endsForGood(): Promise<void> {
    const { field, trace } = this;
    const { deviceId, agentToken } = field.plain;
    const way = this.dice.one(ENDS);
    const calls = this.calls(await field.send(field.plain, reportOf('Unknown', 'CORP\\zoe')));
    const made = await Promise.all(
      Object.entries(calls).map(async ([name, call]) => ({ name, call, ...(await call()) })),
    );
    const granted = made.filter(({ status }) => GRANTS.includes(status));
    const lift = await this.end(
      way,
      granted.map(({ id }) => id),
    );
    for (const then of [() => Promise.resolve(), lift]) {
      await then();
      const repeated = granted.map(async ({ name, call }) => {
        const ended = async () => !GRANTS.includes((await call()).status);
        await until(ended, way === 'move' ? 8 : 1).catch(() => trace.fault(`${name} is granted after ${way}`));
        trace.count(`${name} after ${way}`);
      });
      await Promise.all(repeated);
      const path = `/agents/${deviceId}/commands?waitSeconds=0`;
      const { commands } = await field.lane.world.admin
        .as(agentToken)
        .must<{ commands: { payload: Json }[] }>('GET', path);
      if (commands.some(({ payload }) => GRANTS.includes(String(payload['status']))))
        trace.fault(`a command grants after ${way}`);
    }
    if (way === 'move') field.areDevicesSpoilt = true;
  }
}
