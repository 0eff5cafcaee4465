import type { EventBus } from '@gatehouse/messaging';
import { STAND_IN_MS } from './max-age.ts';

/**
 * Whether what was learnt at a moment may stand in for an answer that identity does not give: for 30 s, and only when
 * the
 * gateway has heard every event since then, because revocations come by events.
 */
export class HeardEvents {
  private since = Infinity;

  constructor(readonly bus: Pick<EventBus, 'isConnected' | 'onGap' | 'whenReady' | 'listen'>) {
    bus.onGap(() => {
      this.since = Infinity;
      void bus.whenReady().then(() => (this.since = performance.now()));
    });
  }

  /** @param at by the monotonic clock (`performance.now()`), when identity was asked */
  readonly maySpeakFor = (at: number): boolean =>
    this.bus.isConnected && at >= this.since && performance.now() - at < STAND_IN_MS;
}
