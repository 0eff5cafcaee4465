import { type Limits, ConcurrencyLimiter } from '@gatehouse/rate-limit';
import { RATE_LIMITS } from '@gatehouse/service';
import { Metrics } from '@gatehouse/telemetry';
import { Inject, Injectable } from '@nestjs/common';

/** What one person or API key may have under way at once in this gateway, whatever the number of sessions. */
@Injectable()
export class CallerConcurrency {
  /** At one service: a caller who floods one must not stand in front of all others there. */
  readonly requests: ConcurrencyLimiter;
  /** Bodies are held whole until they have been answered. */
  readonly largeBodies: ConcurrencyLimiter;

  constructor(@Inject(RATE_LIMITS) { requests, largeBodies }: Limits, metrics: Metrics) {
    this.requests = new ConcurrencyLimiter(requests, metrics);
    this.largeBodies = new ConcurrencyLimiter(largeBodies, metrics);
  }
}
