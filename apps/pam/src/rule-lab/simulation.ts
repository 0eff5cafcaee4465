import type { SimulatedChangeRecord, SimulatedDayRecord, TakenByRecord } from '@gatehouse/contracts-pam';
import {
  compileRule,
  Effort,
  EffortExceeded,
  type DecisionContext,
  type Matcher,
  MAX_STEPS,
  type Observation,
  Replay,
  signerSetsOf,
  subjectOf,
  type Tally,
} from '@gatehouse/pam-domain';
import { type Candidate, compiled } from './candidates.ts';
import { outcomeOf, type Refs } from './replay-summary.ts';
import type { HistoryEntry } from './history.repository.ts';

const SAMPLE = 10;
const MAX_TAKING = 50;
/** About four seconds of one core. */
const MAX_SIMULATED_STEPS = 2000 * MAX_STEPS;
const DAY_LETTERS = 10;

/** Counts what one draft changes, and what stands before it. */
export class Simulation {
  readonly devices = new Set<string>();
  readonly sample: SimulatedChangeRecord[] = [];
  private readonly days = new Map<string, { scanned: number; changed: number }>();
  private readonly taken = new Map<string, TakenByRecord>();
  private readonly replay: Replay;
  private readonly matches: Matcher;
  private readonly names: ReadonlyMap<string, string>;

  /** @param draftId the rule that the draft is or replaces */
  constructor(
    candidate: Candidate,
    private readonly draftId: string,
    private readonly refs: Refs,
  ) {
    const { source, candidateSource, rules } = candidate;
    const { present, candidate: changed } = compiled(candidate);
    this.replay = new Replay(present, changed);
    const draft = rules.find(({ id }) => id === draftId);
    this.matches = draft ? compileRule(draft.values, signerSetsOf(candidateSource.signerGroups)) : () => false;
    this.names = new Map([
      ...rules.map(({ id, values }) => [id, values.name] as const),
      ...[source.policies, source.floor, source.partnerRules].flat().map(({ id, name }) => [id, name] as const),
    ]);
  }

  get tally(): Tally {
    return this.replay.tally;
  }

  get isExhausted(): boolean {
    return this.tally.spent >= MAX_SIMULATED_STEPS;
  }

  /** Oldest first. */
  get perDay(): SimulatedDayRecord[] {
    return [...this.days].map(([day, counts]) => ({ day, ...counts })).sort((a, b) => (a.day < b.day ? -1 : 1));
  }

  get takenBy(): TakenByRecord[] {
    return [...this.taken.values()].sort((a, b) => b.count - a.count).slice(0, MAX_TAKING);
  }

  /** @param entry not newer than the one before: the first changes become the sample */
  scan(entry: HistoryEntry): void {
    const { before, after, isChanged } = this.replay.compare(entry.observation);
    const day = this.dayOf(entry);
    day.scanned++;
    this.noteTaken(entry.observation, after);
    if (!isChanged) return;
    day.changed++;
    this.devices.add(entry.observation.place.deviceId);
    if (this.sample.length < SAMPLE) this.sample.push(this.changeOf(entry, before, after));
  }

  private dayOf({ requestedAt }: HistoryEntry): { scanned: number; changed: number } {
    const key = requestedAt.toISOString().slice(0, DAY_LETTERS);
    const known = this.days.get(key) ?? { scanned: 0, changed: 0 };
    this.days.set(key, known);
    return known;
  }

  private noteTaken(observation: Observation, { ruleId, policyId }: DecisionContext): void {
    const taker = ruleId ?? policyId;
    if (taker === null || taker === this.draftId || !this.isMatched(observation)) return;
    const known = this.taken.get(taker) ?? { ruleId, policyId, name: this.names.get(taker) ?? '', count: 0 };
    this.taken.set(taker, { ...known, count: known.count + 1 });
  }

  private isMatched(observation: Observation): boolean {
    const effort = new Effort();
    try {
      return this.matches(subjectOf(observation, effort));
    } catch (error) {
      if (error instanceof EffortExceeded) return false;
      throw error;
    } finally {
      this.tally.spent += effort.spent;
    }
  }

  private changeOf(entry: HistoryEntry, before: DecisionContext, after: DecisionContext): SimulatedChangeRecord {
    const { id, requestedAt, observation, deviceHostname, flowType, status, source } = entry;
    return {
      requestId: id,
      requestedAt: requestedAt.toISOString(),
      deviceId: observation.place.deviceId,
      deviceHostname,
      flowType,
      before: outcomeOf(before, this.refs),
      after: outcomeOf(after, this.refs),
      recorded: { status, source },
      subjectUsername: observation.username,
      targetExecutablePath: observation.path,
    };
  }
}
