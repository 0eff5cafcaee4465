import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  const changes = new AbortController();
  window.addEventListener('online', listener, changes);
  window.addEventListener('offline', listener, changes);
  return () => changes.abort();
}

/** Whether the browser has a network. Decisions wait for one. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);
