import type { DecisionSource } from '@gatehouse/contracts-pam';
import type { Decision, Hold, Outcome } from '../chain/decision.ts';
import { decide } from '../decisions/decide.ts';
import { Effort, MAX_STEPS } from '../matching/effort.ts';
import type { Observation } from '../matching/observation.ts';
import type { Rulebook } from '../rules/rulebook.ts';

/** The most changed requests that a replay keeps. */
export const MAX_KEPT_CHANGES = 10_000;
/** The most steps of a whole replay, about a minute of one core. */
export const MAX_REPLAY_STEPS = 30_000 * MAX_STEPS;

/** A decision, reduced to what a replay compares and shows. */
export interface DecisionContext {
  readonly outcome: Outcome;
  readonly source: DecisionSource | null;
  readonly ruleId: string | null;
  readonly policyId: string | null;
  readonly held: Hold | null;
}

/** How a request is decided under the present rules, and under the candidate. */
export interface Difference {
  readonly before: DecisionContext;
  readonly after: DecisionContext;
}

type Counts = Record<string, number>;

/** The counts of a replay so far, as plain JSON, so that an interrupted replay goes on. */
export interface Tally {
  scanned: number;
  changed: number;
  /** Rows without AD groups. */
  withoutGroups: number;
  /** By `from>to`. */
  transitions: Counts;
  /** Requests that each rule decided under the present rules, and under the candidate. */
  before: Counts;
  after: Counts;
  /** Steps of matching. */
  spent: number;
}

export const emptyTally = (): Tally => ({
  scanned: 0,
  changed: 0,
  withoutGroups: 0,
  transitions: {},
  before: {},
  after: {},
  spent: 0,
});

const count = (counts: Counts, key: string): void => void (counts[key] = (counts[key] ?? 0) + 1);

export const judgedOf = ({ outcome, source, rule, policy, held }: Decision): DecisionContext => ({
  outcome,
  source,
  ruleId: rule?.id ?? null,
  policyId: policy?.id ?? null,
  held,
});

/** Decides past requests under two rulebooks and counts where they differ. */
export class Replay {
  /** @param tally continued */
  constructor(
    private readonly present: Rulebook,
    private readonly candidate: Rulebook,
    readonly tally: Tally = emptyTally(),
  ) {}

  /** Whether the step limit of the replay is used up. */
  get isExhausted(): boolean {
    return this.tally.spent >= MAX_REPLAY_STEPS;
  }

  /** @returns null when both rulebooks decide alike */
  judge(observation: Observation): Difference | null {
    const { before, after, isChanged } = this.compare(observation);
    return isChanged ? { before, after } : null;
  }

  compare(observation: Observation): Difference & { readonly isChanged: boolean } {
    const { tally } = this;
    const before = this.decided(observation, this.present);
    const after = this.decided(observation, this.candidate);
    tally.scanned++;
    if (observation.adGroups.length === 0) tally.withoutGroups++;
    if (before.ruleId !== null) count(tally.before, before.ruleId);
    if (after.ruleId !== null) count(tally.after, after.ruleId);
    const isChanged = before.outcome !== after.outcome || before.held !== after.held;
    if (isChanged) tally.changed++;
    if (before.outcome !== after.outcome) count(tally.transitions, `${before.outcome}>${after.outcome}`);
    return { before, after, isChanged };
  }

  private decided(observation: Observation, rulebook: Rulebook): DecisionContext {
    const effort = new Effort();
    const decision = decide(observation, rulebook, { effort });
    this.tally.spent += effort.spent;
    return judgedOf(decision);
  }
}

export interface Transition {
  readonly from: Outcome;
  readonly to: Outcome;
  readonly count: number;
}

/** The transitions of a tally, the most frequent first. */
export const transitionsOf = ({ transitions }: Tally): Transition[] =>
  Object.entries(transitions)
    .map(([key, total]): Transition => {
      const [from, to] = key.split('>') as [Outcome, Outcome];
      return { from, to, count: total };
    })
    .sort((a, b) => b.count - a.count || a.from.localeCompare(b.from) || a.to.localeCompare(b.to));

/** How many requests get this outcome under the candidate and did not under the present rules. */
export const newly = (tally: Tally, outcome: Outcome): number =>
  transitionsOf(tally).reduce((sum, { to, count: total }) => (to === outcome ? sum + total : sum), 0);
