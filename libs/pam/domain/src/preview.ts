import { ELEVATION_STATUSES, type ElevationStatus } from '@gatehouse/contracts-pam';
import { Effort, EffortExceeded, MOST_STEPS } from './effort.ts';
import type { Observation } from './observation.ts';
import type { RuleCriteria } from './rule.ts';
import { compileRule, type Matcher } from './rule-match.ts';
import { type SignerGroups, signerSetsOf } from './signer-group.ts';
import { subjectOf } from './subject.ts';

export const PREVIEW_SAMPLE_SIZE = 10;
/** Two seconds of one core: enough for any ordinary rule and 50 000 ordinary requests. */
const MOST_PREVIEW_STEPS = 1000 * MOST_STEPS;

/** A request of the past, as far as a preview looks at it. */
export interface PastRequest {
  readonly status: ElevationStatus;
  readonly observation: Observation;
}

/** Counts what one rule alone would have matched: no other rule stands before it, no policy (PAM-75). */
export class Preview<T extends PastRequest> {
  readonly sample: T[] = [];
  readonly statusBreakdown = Object.fromEntries(ELEVATION_STATUSES.map((status) => [status, 0])) as Record<
    ElevationStatus,
    number
  >;
  totalScanned = 0;
  totalMatched = 0;
  private spent = 0;
  private readonly matches: Matcher;

  constructor(rule: RuleCriteria, groups: SignerGroups) {
    this.matches = compileRule(rule, signerSetsOf(groups));
  }

  /** Whether it has taken all the work that it may. */
  get isExhausted(): boolean {
    return this.spent >= MOST_PREVIEW_STEPS;
  }

  /** @param request none newer than the last: the first matches become the sample */
  scan(request: T): void {
    this.totalScanned++;
    if (!this.isMatched(request)) return;
    this.totalMatched++;
    this.statusBreakdown[request.status]++;
    if (this.sample.length < PREVIEW_SAMPLE_SIZE) this.sample.push(request);
  }
  /** One that takes too much work would wait for a person: the rule does not decide it. */
  private isMatched({ observation }: T): boolean {
    const effort = new Effort();
    try {
      return this.matches(subjectOf(observation, effort));
    } catch (error) {
      if (error instanceof EffortExceeded) return false;
      throw error;
    } finally {
      this.spent += effort.spent;
    }
  }
}
