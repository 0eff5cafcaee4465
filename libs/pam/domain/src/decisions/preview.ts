import { ELEVATION_STATUSES, type ElevationStatus } from '@gatehouse/contracts-pam';
import { Effort, EffortExceeded, MAX_STEPS } from '../matching/effort.ts';
import type { Observation } from '../matching/observation.ts';
import type { RuleCriteria } from '../rules/rule.ts';
import { compileRule, type Matcher } from '../rules/rule-match.ts';
import { type SignerGroups, signerSetsOf } from '../rules/signer-group.ts';
import { subjectOf } from '../matching/subject.ts';

export const PREVIEW_SAMPLE_SIZE = 10;
/** The most steps of a preview, 2 s of one core: enough for any ordinary rule and 50 000 ordinary requests. */
const MAX_PREVIEW_STEPS = 1000 * MAX_STEPS;

/** A past request, reduced to what a preview needs. */
export interface PastRequest {
  readonly status: ElevationStatus;
  readonly observation: Observation;
}

/** Counts the matches of one rule on its own, without other rules and policies (PAM-75). */
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

  /** Whether the step limit of the preview is used up. */
  get isExhausted(): boolean {
    return this.spent >= MAX_PREVIEW_STEPS;
  }

  /** @param request not newer than the one before: the first matches become the sample */
  scan(request: T): void {
    this.totalScanned++;
    if (!this.isMatched(request)) return;
    this.totalMatched++;
    this.statusBreakdown[request.status]++;
    if (this.sample.length < PREVIEW_SAMPLE_SIZE) this.sample.push(request);
  }
  /** A request whose matching exceeds the effort limit would become pending, so the rule does not match it. */
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
