import { type Limits, ConcurrencyLimiter } from '@gatehouse/rate-limit';
import { RATE_LIMITS } from '@gatehouse/service';
import { Metrics } from '@gatehouse/telemetry';
import { Inject, Injectable } from '@nestjs/common';

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

  constructor(@Inject(RATE_LIMITS) { requests, largeBodies }: Limits, metrics: Metrics) {
    this.requests = new ConcurrencyLimiter(requests, metrics);
    this.largeBodies = new ConcurrencyLimiter(largeBodies, metrics);
  }
}
