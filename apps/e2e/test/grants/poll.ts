import type { Api, ApiAnswer } from '@gatehouse/stack';
import { randomUUID } from 'node:crypto';
import { idOf } from '../authority/arena.ts';
import { sql, until } from '../world.ts';
import { type Field, type Json, reportOf } from './field.ts';
import type { Trace } from './trace.ts';

type Voter = 'ann' | 'ben' | 'cleo' | 'dora' | 'eve';

const VOTERS: readonly Voter[] = ['ann', 'ben', 'cleo', 'dora', 'eve'];
const LIVING = ['pending', 'approved', 'auto_approved', 'actuating'];
const TIMEOUT_S = 10;

interface Detail {
  readonly status: string;
  readonly votesRequired: number;
  readonly votes: readonly { readonly name: string }[];
}

/**
 * A request that needs the votes of several people. They vote on it and at its cards, while rules, the device's group,
 * the level, freezes, a role and the identity provider change. The poll itself counts whose vote may count.
 */
export class Poll {
  private id = '';
  private rule = '';
  private readonly counted = new Set<Voter>();
  /** They must not vote, or edited the rule that matched. */
  private readonly barred = new Set<Voter>();
  private cards: ReadonlyMap<string, string> = new Map();
  private isFrozen = false;
  private isOver = false;
  /** The request is of Eve's session, and ends with it. */
  private isEves = false;

  constructor(
    private readonly field: Field,
    private readonly trace: Trace,
  ) {}

  /** @returns how many votes and changes were made */
  async run(): Promise<number> {
    const { dice } = this.field.lane;
    await this.begin();
    const steps = 4 + dice.below(6);
    for (let step = 0; step < steps; step++) await (dice.chance(0.65) ? this.vote() : this.change());
    await this.close();
    return steps;
  }

  private api(who: Voter): Api {
    return who === 'eve' ? this.field.eve : this.field.lane.people[who];
  }

  private async begin(): Promise<void> {
    const { field } = this;
    const { dice, emails } = field.lane;
    const [signer, deviceId] = [`Poll ${randomUUID().slice(0, 8)}`, field.polled.deviceId];
    const author = dice.one(['ann', 'ben', null] as const);
    const kind = dice.one(['prompt', 'prompt', 'ownPrompt', 'eves', 'tool'] as const);
    if (kind.toLowerCase().endsWith('prompt') && author) {
      const rule = { orgId: field.orgId, name: 'Asks', verdict: 'require_approval', matchSigner: signer, priority: 0 };
      this.rule = idOf((await this.trace.tried(author, 'POST', '/pam/rules', rule)).body) ?? '';
      this.barred.add(author);
    }
    const bars = { prompt: [], ownPrompt: ['cleo'], eves: ['eve'], tool: ['cleo'] } as const;
    for (const who of bars[kind]) this.barred.add(who);
    this.isEves = kind === 'eves';
    const ask = { deviceId, reason: 'because' };
    const action = { deviceId, toolName: 'run_script', input: {}, timeoutSeconds: 3600 };
    const asked = {
      prompt: () => field.send(field.polled, reportOf(signer, 'CORP\\zoe')),
      ownPrompt: () => field.send(field.polled, reportOf(signer, emails.cleo)),
      eves: () => this.api('eve').must<{ id: string }>('POST', '/pam/elevation-requests', ask),
      tool: () => this.api('cleo').must<{ id: string }>('POST', '/pam/tool-actions', action),
    };
    this.id = (await asked[kind]()).id;
    const { status, votesRequired } = await this.detail();
    this.trace.note(`poll ${this.id}: ${kind}, rule of ${author}, ${status}, ${votesRequired} votes`);
    // What Cleo's own rule would grant waits for people, too.
    if (status !== 'pending' || votesRequired !== field.needed)
      this.trace.fault('the request does not ask enough people');
    else this.cards = await this.cardsMade();
  }

  private async detail(): Promise<Detail> {
    const path = `/pam/elevation-requests/${this.id}`;
    return (await this.field.lane.people.ben.must<{ request: Detail }>('GET', path)).request;
  }

  private async vote(): Promise<void> {
    const { dice } = this.field.lane;
    const who = dice.one(VOTERS);
    const channel = dice.one(['request', 'request', 'card', 'foreign card'] as const);
    const owner = channel === 'foreign card' ? dice.one(VOTERS.filter((each) => each !== who)) : who;
    // An API key has no second factor, and is no other person.
    const isByKey = who === 'ann' && dice.chance(0.2);
    const api = isByKey ? this.field.lane.people.annsKey : this.api(who);
    const path = channel === 'request' ? `/pam/elevation-requests/${this.id}/respond` : this.cardOf(owner);
    if (path === null) return;
    const answer = await api.call('POST', path, channel === 'request' ? { decision: 'approve' } : {});
    this.trace.note(`${who}${isByKey ? ' by key' : ''} votes (${channel}) → ${answer.status} ${said(answer)}`);
    this.trace.count(`vote by ${isByKey ? 'key' : channel} ${said(answer)}`);
    this.judge(who, answer, channel === 'foreign card' || isByKey);
  }

  /** The cards of those who are asked, by their users. */
  private cardsMade(): Promise<ReadonlyMap<string, string>> {
    return until(async () => {
      const asked = 'SELECT id, user_id FROM approvals WHERE elevation_request_id = $1';
      const cards = await sql<{ id: string; user_id: string }>(this.field.lane.world, 'pam', asked, [this.id]);
      return cards.length > 0 && new Map(cards.map((card) => [card.user_id, card.id]));
    });
  }

  /** The address at which a person approves by their card, or null if they were not asked. */
  private cardOf(owner: Voter): string | null {
    const { lane, evesId } = this.field;
    const id = this.cards.get(owner === 'eve' ? evesId : lane.ids[owner]);
    return id === undefined ? null : `/approvals/${id}/approve`;
  }

  private mayVote(who: Voter): boolean {
    return !this.barred.has(who) && !this.counted.has(who) && !this.isFrozen && !this.isOver;
  }

  private judge(who: Voter, { status, body }: ApiAnswer, mustFail: boolean): void {
    if (status >= 500) this.trace.fault(`a vote was answered ${status}`);
    if (status >= 300) return;
    if (mustFail || !this.mayVote(who)) this.trace.fault(`the vote of ${who} was taken`);
    this.counted.add(who);
    const valid = [...this.counted].filter((each) => !this.barred.has(each)).length;
    if (Number(body['votesGiven']) > valid)
      this.trace.fault(`${String(body['votesGiven'])} votes were counted for ${valid}`);
    if (body['status'] !== 'approved') return;
    if (valid < this.field.needed) this.trace.fault(`approved by ${valid} people`);
    this.isOver = true;
    this.trace.count('poll approved');
  }

  private async change(): Promise<void> {
    const { field } = this;
    const { dice } = field.lane;
    const { groupId, polled } = field;
    const devices = `/device-groups/${groupId}/devices`;
    const editor = dice.one(['ann', 'ben', 'dora'] as const);
    const inputs = dice.one([{ enabled: false }, { enabled: true }, { description: 'x' }, { priority: 1 }]);
    const changes: readonly (() => Promise<unknown>)[] = [
      () => this.edit(editor, inputs),
      () => this.edit(editor, inputs),
      () => this.lowerLevel(),
      async () => (field.isPolledSpoilt ||= await this.trace.done('ann', 'DELETE', `${devices}/${polled.deviceId}`)),
      () => this.freeze(),
      () => this.revoke(),
      () => this.endEve(),
      () => this.endEve(),
      () => this.endDora(),
    ];
    await dice.one(changes)();
  }

  /** Who changes the rule that matched is an editor from then on. */
  private async edit(who: 'ann' | 'ben' | 'dora', inputs: Json): Promise<void> {
    if (!this.rule) return;
    if (await this.trace.done(who, 'PATCH', this.field.inOrg(`/pam/rules/${this.rule}`), inputs)) this.barred.add(who);
  }

  /** Which leaves what the request demands. The field ends, because Ann is an editor of its level from then on. */
  private async lowerLevel(): Promise<void> {
    const { field } = this;
    if (field.isSpoilt || field.lane.dice.chance(0.7)) return;
    const levels = [{ name: 'Guarded', deviceGroupIds: [field.groupId], approvals: 1, pendingMinutes: 60 }];
    field.isSpoilt = await this.trace.done('ann', 'PUT', field.inOrg('/pam/approval-policy'), { levels });
  }

  private async freeze(): Promise<void> {
    const freeze = { level: 'device', targetId: this.field.polled.deviceId, mode: 'lockdown', revokeOpen: false };
    const { body } = await this.trace.tried('ben', 'POST', '/pam/freezes', { ...freeze, reason: 'for a while' });
    this.isFrozen = true;
    await this.vote();
    await this.vote();
    this.isFrozen = false;
    await this.trace.tried('ben', 'POST', `/pam/freezes/${idOf(body)}/lift`, { reason: 'over' });
  }

  private async revoke(): Promise<void> {
    const path = `/pam/elevation-requests/${this.id}/revoke`;
    if (await this.trace.done('ben', 'POST', path, { reason: 'ends' })) this.isOver = true;
  }

  /** Eve's vote, or her request, ends with her provider or her link there, also if it comes at that moment. */
  private async endEve(): Promise<void> {
    const { field } = this;
    const way = field.lane.dice.one(['off', 'unlink'] as const);
    const [former, path] = [field.eve, `/pam/elevation-requests/${this.id}/respond`];
    const end = way === 'off' ? field.switch('inactive') : former.must('DELETE', `/sso/link/${field.providerId}`);
    const [late] = await Promise.all([former.call('POST', path, { decision: 'approve' }), end]);
    this.trace.note(`Eve's provider ends (${way}), she votes at that moment → ${said(late)}`);
    if (late.body['status'] === 'approved') this.judge('eve', late, false);
    const isOver = async () => {
      const { status, votes } = await this.detail();
      if (this.isEves) return !LIVING.includes(status);
      return status !== 'pending' || !votes.some(({ name }) => name === 'Eve');
    };
    await until(isOver, TIMEOUT_S).catch(() => this.trace.fault(`what Eve did outlives her provider (${way})`));
    if (way === 'off') await field.switch('active');
    this.counted.delete('eve');
    this.isOver ||= this.isEves;
    await field.renewEve();
    this.trace.count(`provider ends by ${way} of ${this.isEves ? 'a request' : 'a vote'}`);
  }

  /** Dora loses the right to decide and gets it again: a vote that was taken in between has ended hers. */
  private async endDora(): Promise<void> {
    if (!this.counted.has('dora') || this.isOver) return;
    await this.field.lane.permit('Partner Viewer');
    this.trace.note('Dora may not decide');
    this.counted.delete('dora');
    const before = this.counted.size;
    for (let votes = 0; votes < 2; votes++) await this.vote();
    if (this.counted.size === before) this.counted.add('dora');
    await this.field.lane.permit('Partner Admin');
    this.trace.count('role ended');
  }

  /** Ends what waits, so that no card is left; everybody may deny. */
  private async close(): Promise<void> {
    const { status } = await this.detail();
    if (status === 'approved' && !this.isOver) this.trace.fault('approved by no vote');
    const path = `/pam/elevation-requests/${this.id}/respond`;
    if (status === 'pending') await this.trace.tried('cleo', 'POST', path, { decision: 'deny' });
    if (this.field.isPolledSpoilt) await this.field.renewPolled();
  }
}

const said = ({ status, body }: ApiAnswer): string => String(body[status < 300 ? 'status' : 'code']);
