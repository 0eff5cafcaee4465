const MAX_MS = 1_000;

/** Resolves when the page has nothing better to do, and at the latest after a second. */
export const whenIdle = (): Promise<void> =>
  new Promise((resolve) => {
    // Not every browser knows it.
    const { requestIdleCallback } = window as Partial<Window>;
    if (requestIdleCallback) requestIdleCallback(() => resolve(), { timeout: MAX_MS });
    else setTimeout(resolve);
  });
