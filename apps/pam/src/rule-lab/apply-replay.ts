import { type Changes, type FieldChange, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { type PamRuleRecord, RulesetApplied } from '@gatehouse/contracts-pam';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { differenceOf, type RuleSetDifference } from '@gatehouse/pam-domain';
import { Injectable } from '@nestjs/common';
import { isWhereNamed, type NamedThing } from '../tenants/require-place.ts';
import { type Organization, OrganizationsRepository } from '../tenants/organizations.repository.ts';
import { type Author, type Candidate, Candidates, type Plan, requireReach } from './candidates.ts';
import type { RuleValues } from '../rules/rules.repository.ts';
import { FinalNumbers, type ReplayNumbers } from './final-numbers.ts';
import { noReplay } from './replays.service.ts';
import { type ReplayRow, ReplaysRepository } from './replays.repository.ts';
import { StoreRuleset } from './store-ruleset.ts';

export interface AppliedReplay {
  readonly rules: PamRuleRecord[];
  readonly rulebookVersion: number;
}

type Difference = RuleSetDifference<RuleValues>;

/** An audit entry names this many changed rules, so that the broker accepts its message. */
const MAX_NAMED = 1000;
/** And the values of as many as have this many characters in JSON. */
const MAX_VALUES = 256 * 1024;

const planOf = ({ changes, defaultUnmatchedVerdict }: ReplayRow): Plan => ({
  changes: changes as Plan['changes'],
  defaultUnmatchedVerdict,
  authors: [],
});

const stale = (): ProblemError =>
  new ProblemError('rulebook_stale', 'The rules have changed since the replay; replay again.');

/** Makes the changes of a replay, exactly as they were replayed, in one transaction (PAM-242). */
@Injectable()
export class ApplyReplay {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly candidates: Candidates,
    private readonly replays: ReplaysRepository,
    private readonly storeRuleset: StoreRuleset,
    private readonly finalNumbers: FinalNumbers,
  ) {}

  /**
   * @throws ProblemError replay_not_found, conflict, organization_frozen, site_access_denied, rulebook_stale,
   * plan_stale, and those of the rules
   */
  apply(caller: UserCaller, named: NamedThing, acceptNewlyApproved: number): Promise<AppliedReplay> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const replay = await this.lock(tx, caller, named);
      const organization = await this.organizations.resolveWritable(tx, caller, replay.orgId);
      const plan = planOf(replay);
      if ((await this.replays.rulebookVersion(tx, organization)) !== replay.rulebookVersion) throw stale();
      const candidate = await this.candidates.make(tx, organization, plan);
      const difference = differenceOf(candidate.standing, candidate.rules);
      requireReach(caller, { standing: candidate.standing, difference, plan }, replay.sites);
      const author = await this.replays.authorOf(tx, replay);
      const numbers = await this.finalNumbers.of(tx, caller, { replay, candidate, difference, author });
      requireAccepted(acceptNewlyApproved, numbers);
      const alsoBy = replay.createdBy === caller.userId ? [] : [replay.createdBy];
      const { rules, version } = await this.storeRuleset.store(tx, caller, { organization, difference, plan, alsoBy });
      // The rulebook was not locked before; a change that came first has taken the version in between.
      if (version !== replay.rulebookVersion + 1) throw stale();
      await this.replays.noteApplied(tx, replay.id);
      publish(tx, { replay, organization, candidate, difference, version, author, numbers });
      return { rules, rulebookVersion: version };
    });
  }

  private async lock(tx: Tx, caller: UserCaller, named: NamedThing): Promise<ReplayRow> {
    const replay = await this.replays.lock(tx, caller.scope, named.id);
    if (!replay || !isWhereNamed(named, replay)) throw noReplay();
    if (replay.state !== 'completed') throw new ProblemError('conflict', `The replay is ${replay.state}.`);
    if (replay.appliedAt) throw new ProblemError('conflict', 'The replay has already been applied.');
    return replay;
  }
}

/** @throws ProblemError plan_stale with the numbers that the replay has with its final editors */
function requireAccepted(acceptNewlyApproved: number, numbers: ReplayNumbers): void {
  if (acceptNewlyApproved === numbers.newlyAutoApproved) return;
  throw new ProblemError('plan_stale', 'The replay now finds a different number of requests to grant.', {
    ...numbers,
  });
}

interface Applied {
  readonly replay: ReplayRow;
  readonly organization: Organization;
  readonly candidate: Candidate;
  readonly difference: Difference;
  readonly version: number;
  readonly author: Author | null;
  readonly numbers: ReplayNumbers;
}

const picked = (values: RuleValues | undefined, fields: readonly string[]): unknown =>
  values && Object.fromEntries(Object.entries(values).filter(([field]) => fields.includes(field)));

/** The rules that changed, with the names of their fields. */
const rulesOf = ({ added, updated, removed }: Difference) => [
  ...added.map(({ id }) => ({ ruleId: id, change: 'create' })),
  ...updated.map(({ rule, fields }) => ({ ruleId: rule.id, change: 'update', fields })),
  ...removed.map((ruleId) => ({ ruleId, change: 'delete' })),
];

/** What each rule was before and is after, by its id, as far as it fits. */
function changesIn({ replay, candidate, difference: { added, updated, removed } }: Applied): Changes {
  const before = new Map(candidate.standing.map(({ id, values }) => [id, values]));
  const all: [string, FieldChange][] = [
    ...added.map(({ id, values }): [string, FieldChange] => [id, { before: null, after: values }]),
    ...updated.map(({ rule: { id, values }, fields }): [string, FieldChange] => [
      id,
      { before: picked(before.get(id), fields), after: picked(values, fields) },
    ]),
    ...removed.map((id): [string, FieldChange] => [id, { before: before.get(id) ?? null, after: null }]),
  ];
  const { defaultUnmatchedVerdict: after } = replay;
  if (after !== null) all.unshift(['defaultUnmatchedVerdict', { before: candidate.source.defaultVerdict, after }]);
  let size = 0;
  return Object.fromEntries(all.filter((each) => (size += JSON.stringify(each).length) <= MAX_VALUES));
}

function publish(tx: Tx, applied: Applied): void {
  const { replay, organization, difference, version, author, numbers } = applied;
  const { orgId, partnerId } = organization;
  const rules = rulesOf(difference);
  const { defaultUnmatchedVerdict } = replay;
  tx.emit(
    RulesetApplied,
    { replayId: replay.id, orgId, partnerId, version, changedRules: rules.length },
    { aggregateId: orgId },
  );
  tx.audit({
    action: 'pam.ruleset.apply',
    resource: { type: 'pam.ruleset', id: replay.id, name: replay.name },
    orgId,
    partnerId,
    details: {
      rulebookVersion: version,
      newlyAutoApproved: numbers.newlyAutoApproved,
      replayAuthor: { id: replay.createdBy, name: author?.name ?? null },
      rules: rules.slice(0, MAX_NAMED),
      ...(rules.length > MAX_NAMED && { rulesOmitted: rules.length - MAX_NAMED }),
      ...(defaultUnmatchedVerdict !== null && { defaultUnmatchedVerdict }),
      changes: changesIn(applied),
    },
  });
}
