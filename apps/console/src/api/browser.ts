import { useSyncExternalStore } from 'react';

/** Milliseconds by which the server's clock is ahead of this browser's. */
let offset = 0;

/** @param date the `Date` header of an answer, which is exact to a second */
export function noteServerTime(date: string | null): void {
  const server = Date.parse(date ?? '');
  if (!Number.isNaN(server) && Math.abs(server - Date.now() - offset) > 1500) offset = server - Date.now();
}

/** The server's time in milliseconds: countdowns run on it. */
export const serverNow = (): number => Date.now() + offset;

function subscribe(listener: () => void): () => void {
  const changes = new AbortController();
  window.addEventListener('online', listener, changes);
  window.addEventListener('offline', listener, changes);
  return () => changes.abort();
}

/** Whether the browser has a network. Decisions wait for one. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);

/** Resolves when the network comes back. */
export const returnOfNetwork = () => new Promise((resolve) => addEventListener('online', resolve, { once: true }));

/** The page that the server has now; empty if it cannot be had. */
export async function servedPage(): Promise<string> {
  try {
    const response = await fetch('/', { headers: { accept: 'text/html' }, cache: 'no-store' });
    return response.ok ? await response.text() : '';
  } catch {
    return '';
  }
}
