import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** Divides long work into short turns, so that other requests of the process go on in between. */
export class Turns {
  private endsAt: number;

  /** @param restMs how long the work rests between two turns; 0 lets waiting requests go first and no more */
  constructor(
    private readonly turnMs: number,
    private readonly restMs: number,
  ) {
    this.endsAt = performance.now() + turnMs;
  }

  /** Call it after each piece of work. */
  async next(): Promise<void> {
    if (performance.now() < this.endsAt) return;
    await (this.restMs === 0 ? nextTurn() : pause(this.restMs));
    this.endsAt = performance.now() + this.turnMs;
  }
}
