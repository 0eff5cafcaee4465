import type { EventBus } from '@gatehouse/messaging';

/**
 * Architecture, "Revocation": within 5 s. Events drop cached entries at once, but the limit does not depend on them:
 * the broker may be away, or only seem to be connected. A revoked credential works for at most twice this time (once
 * for a key, once for what it verified) plus the second for which identity caches its keys.
 */
export const MAX_AGE_MS = 2_000;

/** How long the last answer is used while identity does not answer (see {@link EventContinuity}). */
export const STALE_ALLOWED_MS = 30_000;

/**
 * Decides whether a cached answer may be used while identity does not answer: for 30 s, and only if the gateway has
 * missed no event since then, because revocations arrive as events.
 */
export class EventContinuity {
  private since = Infinity;

  constructor(readonly bus: Pick<EventBus, 'isConnected' | 'onGap' | 'whenReady' | 'listen'>) {
    bus.onGap(() => {
      this.since = Infinity;
      void bus.whenReady().then(() => (this.since = performance.now()));
    });
  }

  /** @param at when identity was asked, by the monotonic clock (`performance.now()`) */
  readonly maySpeakFor = (at: number): boolean =>
    this.bus.isConnected && at >= this.since && performance.now() - at < STALE_ALLOWED_MS;
}
