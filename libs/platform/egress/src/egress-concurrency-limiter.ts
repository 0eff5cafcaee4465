import { EgressError } from './egress-error.ts';

/**
 * Bounds the requests under way for each compartment (an identity provider) and overall, so that one slow provider
 * cannot use up all connections. A request beyond a bound is refused at once; there is no queue.
 */
export class EgressConcurrencyLimiter {
  private readonly inFlight = new Map<string, number>();
  private total = 0;

  constructor(
    private readonly perCompartment: number,
    private readonly overall: number,
  ) {}

  get underWay(): number {
    return this.total;
  }

  /** @throws EgressError busy */
  async run<T>(compartment: string, work: () => Promise<T>): Promise<T> {
    const used = this.inFlight.get(compartment) ?? 0;
    if (used >= this.perCompartment || this.total >= this.overall)
      throw new EgressError('busy', `too many requests under way to ${compartment}`);
    this.inFlight.set(compartment, used + 1);
    this.total += 1;
    try {
      return await work();
    } finally {
      this.leave(compartment);
    }
  }

  private leave(compartment: string): void {
    this.total -= 1;
    const remaining = (this.inFlight.get(compartment) ?? 1) - 1;
    if (remaining === 0) this.inFlight.delete(compartment);
    else this.inFlight.set(compartment, remaining);
  }
}
