import { type Limits, Turns } from '@gatehouse/rate-limit';
import { RATE_LIMITS } from '@gatehouse/service';
import { Metrics } from '@gatehouse/telemetry';
import { Inject, Injectable } from '@nestjs/common';

/** What one person or API key may have under way at once in this gateway, whatever the number of sessions. */
@Injectable()
export class CallerTurns {
  /** At one service: a caller who floods one must not stand in front of all others there. */
  readonly requests: Turns;
  /** Bodies are held whole until they have been answered. */
  readonly largeBodies: Turns;

  constructor(@Inject(RATE_LIMITS) { requests, largeBodies }: Limits, metrics: Metrics) {
    this.requests = new Turns(requests, metrics);
    this.largeBodies = new Turns(largeBodies, metrics);
  }
}
