import { focusManager, type QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { followLiveEvents, type LiveMessage, type LiveState } from '../api/live.ts';
import type { Operation } from '../api/generated/access.ts';
import { may, meQuery } from '../api/me.ts';

const TOPICS = ['elevations', 'approvals', 'devices', 'rules', 'merges', 'providers'] as const;
/** An operation that needs the same permission as the topic. */
const NEEDS: Readonly<Record<(typeof TOPICS)[number], Operation>> = {
  elevations: 'GET /pam/elevation-requests',
  approvals: 'GET /pam/elevation-requests',
  devices: 'GET /devices',
  rules: 'GET /pam/rules',
  merges: 'GET /orgs',
  providers: 'GET /orgs',
};

/** The features whose data an event makes stale, by the beginning of its subject. */
const FEATURES: Readonly<Record<string, readonly string[]>> = {
  'pam.elevation.': ['approvals', 'requests', 'active', 'overview'],
  'approval.': ['approvals', 'overview'],
  'pam.rulebook.': ['freezes', 'rules', 'signer-groups', 'software-policies', 'capture', 'overview'],
  'pam.rule.': ['rules'],
  'pam.freeze.': ['freezes', 'approvals', 'active'],
  'tenancy.device.': ['devices', 'organizations', 'enrollment', 'overview'],
  'tenancy.organization.': ['organizations', 'merge', 'overview'],
  'tenancy.merge.': ['merge'],
  'identity.sso_provider.': ['sign-on', 'overview'],
};

const GATHER_MS = 250;
const BUSY_GATHER_MS = 2000;
const BUSY_EVENTS_PER_SECOND = 20;
const AWAKE_AFTER_MS = 30_000;

let state: LiveState = 'reconnecting';
let stateSince = Date.now();
let lastLiveAt = Date.now();
const listeners = new Set<() => void>();
const snapshot = () => state;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether the screen follows the server. */
export const useLiveState = (): LiveState => useSyncExternalStore(subscribe, snapshot);
export const onLiveState = (listener: (now: LiveState) => void) => subscribe(() => listener(state));
export const liveStateSince = (): number => stateSince;
/** When the screen last followed the server: what it shows is as old as that. */
export const liveUntil = (): number => (state === 'live' ? Date.now() : lastLiveAt);

function enter(next: LiveState): void {
  if (next === state) return;
  if (state === 'live') lastLiveAt = Date.now();
  state = next;
  stateSince = Date.now();
  for (const listener of listeners) listener();
}

/** Gathers what became stale and reads it anew: every quarter second, every two seconds when events rain. */
class StaleFeatures {
  private readonly names = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private recent: number[] = [];

  constructor(private readonly client: QueryClient) {}

  note(subject: string): void {
    const now = Date.now();
    this.recent = [...this.recent.filter((at) => now - at < 1000), now];
    for (const [prefix, features] of Object.entries(FEATURES))
      if (subject.startsWith(prefix)) for (const name of features) this.names.add(name);
    const wait = this.recent.length > BUSY_EVENTS_PER_SECOND ? BUSY_GATHER_MS : GATHER_MS;
    this.timer ??= setTimeout(() => this.flush(), wait);
  }

  all(): void {
    void this.client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  }

  private flush(): void {
    this.timer = undefined;
    for (const name of this.names) void this.client.invalidateQueries({ queryKey: [name] });
    this.names.clear();
  }
}

function noteEvent(subject: string, stale: StaleFeatures): void {
  stale.note(subject);
  // Not for a new one: Chromium drops a notification that is read before it is displayed.
  if (subject.startsWith('approval.request.settled.'))
    import('./worker/settled.ts').then(
      ({ closeSettledSoon }) => closeSettledSoon(),
      () => undefined,
    );
}

function onWaking(work: () => void): void {
  let hiddenAt = 0;
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') hiddenAt = Date.now();
    else if (Date.now() - hiddenAt > AWAKE_AFTER_MS) work();
  });
  window.addEventListener('online', () => {
    enter('reconnecting');
    work();
  });
  window.addEventListener('offline', () => enter('offline'));
  // No event tells of keys, people or sites, and a window beside another one is not hidden while that one is used.
  window.addEventListener('focus', () => focusManager.onFocus());
}

/** Keeps all screens as fresh as the server's events, which carry facts and no rows: lists are read anew. */
export function startLiveUpdates(client: QueryClient): void {
  const me = client.getQueryData(meQuery.queryKey);
  const topics = TOPICS.filter((topic) => me !== undefined && may(me, NEEDS[topic]));
  const stale = new StaleFeatures(client);
  const take = (message: LiveMessage) => {
    if (message.kind === 'event') noteEvent(message.subject, stale);
    else if (message.kind === 'reread') stale.all();
    else enter(message.kind);
  };
  onWaking(() => stale.all());
  if (topics.length > 0) followLiveEvents(topics, take);
}
