import type { EventBus } from '@gatehouse/messaging';
import { STAND_IN_MS } from './max-age.ts';

/**
 * Decides whether a cached answer may be used while identity does not answer: for 30 s, and only if the gateway has
 * missed no event since then, because revocations arrive as events.
 */
export class HeardEvents {
  private since = Infinity;

  constructor(readonly bus: Pick<EventBus, 'isConnected' | 'onGap' | 'whenReady' | 'listen'>) {
    bus.onGap(() => {
      this.since = Infinity;
      void bus.whenReady().then(() => (this.since = performance.now()));
    });
  }

  /** @param at when identity was asked, by the monotonic clock (`performance.now()`) */
  readonly maySpeakFor = (at: number): boolean =>
    this.bus.isConnected && at >= this.since && performance.now() - at < STAND_IN_MS;
}
