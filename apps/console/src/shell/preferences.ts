import { useSyncExternalStore } from 'react';

/** Filters of the queue under a name, for the person who saved them. */
export interface QueueView {
  readonly owner: string;
  readonly name: string;
  /** As the address has them. */
  readonly search: string;
}

/** What this browser remembers of its user's taste. Nothing secret and nothing of the product's data is kept here. */
export interface Preferences {
  readonly density: 'comfortable' | 'compact';
  /** Whether single letters act in lists (WCAG 2.1.4). */
  readonly singleKeys: boolean;
  /** Whether identical requests stand together in the queue. */
  readonly groupIdentical: boolean;
  readonly queueViews: readonly QueueView[];
  readonly starredOrganizations: readonly string[];
  readonly recentOrganizations: readonly string[];
  /** The tenants whose first steps are done or were dismissed. */
  readonly leftFirstSteps: readonly string[];
  /**
   * The registration of this browser for pushes: its id, a digest of the address that it had then, and a digest of the
   * person who made it, which earlier versions left out.
   */
  readonly push: { readonly id: string; readonly digest: string; readonly owner?: string } | null;
}

const KEY = 'gatehouse.preferences';
const DEFAULTS: Preferences = {
  density: 'comfortable',
  singleKeys: true,
  groupIdentical: false,
  queueViews: [],
  starredOrganizations: [],
  recentOrganizations: [],
  leftFirstSteps: [],
  push: null,
};
const listeners = new Set<() => void>();

function read(): Preferences {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>) };
  } catch {
    return DEFAULTS;
  }
}

let current = read();

export const preferences = (): Preferences => current;

export function changePreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // A browser that refuses storage keeps the preference until the page closes.
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, preferences);

const RELOADED_KEY = 'gatehouse.reloaded';

/** Whether this tab has not yet reloaded itself because of this version of the page. */
export function isFirstReloadOf(version: string): boolean {
  try {
    if (sessionStorage.getItem(RELOADED_KEY) === version) return false;
    sessionStorage.setItem(RELOADED_KEY, version);
    return true;
  } catch {
    return false;
  }
}
