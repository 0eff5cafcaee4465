import { ConcurrencyLimiter, Limits } from '@gatehouse/rate-limit';
import { Metrics } from '@gatehouse/telemetry';
import { Injectable } from '@nestjs/common';

/** Limits the concurrent requests of one user or API key at this replica, across all of the user's sessions. */
@Injectable()
export class CallerConcurrency {
  /**
   * Counted for each service, so that a caller who floods one service does not delay that caller's requests to
   * others.
   */
  readonly requests: ConcurrencyLimiter;
  /** A large body stays in memory until its request has been answered. */
  readonly largeBodies: ConcurrencyLimiter;

  constructor(limits: Limits, metrics: Metrics) {
    this.requests = new ConcurrencyLimiter(limits.bound('requests'), metrics);
    this.largeBodies = new ConcurrencyLimiter(limits.bound('largeBodies'), metrics);
  }
}
