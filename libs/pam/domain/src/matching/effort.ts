/**
 * The most steps of one decision. A step takes about 8 ns of one core, so this is 2 ms (decisions, "cost of a report").
 */
export const MAX_STEPS = 250_000;
/** The share of one organisation in a process: 50 ms of each second. */
const SHARE_PER_SECOND = 6_250_000;
/** A report may spend this many steps even when its organisation has used up its share; ordinary reports need fewer. */
const FREE_STEPS = 5_000;
const MAX_ORGANISATIONS = 100_000;
const SECOND_MS = 1000;

export class EffortExceeded extends Error {}

/**
 * Counts and limits the work of one decision, so that one organisation's rules cannot delay other organisations'
 * reports. It counts steps, not time, so that the same input always gives the same result.
 */
export class Effort {
  private taken = 0;

  constructor(private readonly most = MAX_STEPS) {}

  /** Steps spent so far. Never more than the limit, because work that would exceed it is not started. */
  get spent(): number {
    return Math.min(this.taken, this.most);
  }

  /** Call this before the work. @throws EffortExceeded when the limit would be exceeded */
  spend(steps: number): void {
    this.taken += steps;
    if (this.taken > this.most) throw new EffortExceeded(`a decision may take ${this.most} steps`);
  }

  /** A limit of its own, a quarter as high, for work that must not take anything from this one. */
  quarter(): Effort {
    return new Effort(Math.floor(this.most / 4));
  }
}

interface Account {
  left: number;
  /** Clock reading in milliseconds. */
  at: number;
}

/** Limits each organisation's matching work per second, so that no organisation slows the reports of others. */
export class EffortShares {
  private readonly accounts = new Map<string, Account>();

  /** @param now a monotonic clock in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Runs `work` with the organisation's remaining share and charges the steps spent. */
  during<T>(orgId: string, work: (effort: Effort) => T): T {
    const account = this.accountOf(orgId);
    const effort = new Effort(Math.min(MAX_STEPS, Math.max(FREE_STEPS, account.left)));
    try {
      return work(effort);
    } finally {
      account.left = Math.max(0, account.left - effort.spent);
    }
  }

  /** Whether the organisation may start work whose cost is known only afterwards. */
  hasLeft(orgId: string): boolean {
    return this.accountOf(orgId).left > 0;
  }

  /** Charges work after it is done. A deficit must be recovered before the organisation may start more. */
  charge(orgId: string, steps: number): void {
    this.accountOf(orgId).left -= steps;
  }

  private accountOf(orgId: string): Account {
    const now = this.now();
    const known = this.accounts.get(orgId);
    if (!known && this.accounts.size >= MAX_ORGANISATIONS) this.accounts.clear();
    const account = known ?? { left: SHARE_PER_SECOND, at: now };
    account.left = Math.min(SHARE_PER_SECOND, account.left + ((now - account.at) / SECOND_MS) * SHARE_PER_SECOND);
    account.at = now;
    this.accounts.set(orgId, account);
    return account;
  }
}
