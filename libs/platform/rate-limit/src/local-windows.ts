import { LRUCache } from 'lru-cache';

const MAX_SUBJECTS = 50_000;

interface Window {
  count: number;
  readonly endsAt: number;
}

/** Counts within this process while Redis is unavailable. */
export class LocalWindows {
  private readonly windows = new LRUCache<string, Window>({ max: MAX_SUBJECTS });

  /** @returns the count in the current window and the milliseconds left of it */
  count(key: string, windowMs: number, now = performance.now()): [number, number] {
    const known = this.windows.get(key);
    const window = known && known.endsAt > now ? known : { count: 0, endsAt: now + windowMs };
    window.count++;
    this.windows.set(key, window);
    return [window.count, window.endsAt - now];
  }
}
