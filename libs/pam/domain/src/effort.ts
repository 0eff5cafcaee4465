/** A step stands for about 8 ns of one core, so this is 2 ms (decisions, "cost of a report"). */
export const MOST_STEPS = 250_000;
/** Fifty milliseconds of each second: what one organisation may take of a process. */
const SHARE_PER_SECOND = 6_250_000;
/** A report may spend these even when its organisation has used up its share: ordinary ones need fewer. */
const FREE_STEPS = 5_000;
const MOST_ORGANISATIONS = 100_000;
const SECOND_MS = 1000;

export class EffortExceeded extends Error {}

/**
 * The work that one decision takes: the rules of one organisation must not keep the reports of others waiting. It
 * counts
 * steps and not time, so that the same question always gets the same answer.
 */
export class Effort {
  private taken = 0;

  constructor(private readonly most = MOST_STEPS) {}

  /** Steps taken so far; never more than allowed, because work that would exceed the limit is not begun. */
  get spent(): number {
    return Math.min(this.taken, this.most);
  }

  /** Call this before the work. @throws EffortExceeded when the decision would take more than it may */
  spend(steps: number): void {
    this.taken += steps;
    if (this.taken > this.most) throw new EffortExceeded(`a decision may take ${this.most} steps`);
  }
}

interface Account {
  left: number;
  /** Milliseconds of the clock. */
  at: number;
}

/** Limits the matching of each organisation per second, so that one of them cannot slow the reports of the others. */
export class EffortShares {
  private readonly accounts = new Map<string, Account>();

  /** @param now a clock in milliseconds that never goes back */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Runs `work` with what the organisation has left, and charges what it spent. */
  during<T>(orgId: string, work: (effort: Effort) => T): T {
    const account = this.accountOf(orgId);
    const effort = new Effort(Math.min(MOST_STEPS, Math.max(FREE_STEPS, account.left)));
    try {
      return work(effort);
    } finally {
      account.left = Math.max(0, account.left - effort.spent);
    }
  }

  /** Whether the organisation may begin work whose cost shows only afterwards. */
  hasLeft(orgId: string): boolean {
    return this.accountOf(orgId).left > 0;
  }

  /** Charges such work; what is beyond the share is paid off before more of it may begin. */
  charge(orgId: string, steps: number): void {
    this.accountOf(orgId).left -= steps;
  }

  private accountOf(orgId: string): Account {
    const now = this.now();
    const known = this.accounts.get(orgId);
    if (!known && this.accounts.size >= MOST_ORGANISATIONS) this.accounts.clear();
    const account = known ?? { left: SHARE_PER_SECOND, at: now };
    account.left = Math.min(SHARE_PER_SECOND, account.left + ((now - account.at) / SECOND_MS) * SHARE_PER_SECOND);
    account.at = now;
    this.accounts.set(orgId, account);
    return account;
  }
}
