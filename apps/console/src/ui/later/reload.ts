/** Whether another version of the console is served, and how often a part of this page was missing because of it. */
export interface Reload {
  readonly isOffered: boolean;
  readonly missed: number;
}

let present: Reload = { isOffered: false, missed: 0 };
const listeners = new Set<() => void>();

export const reloadState = (): Reload => present;

export const onReloadState = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function enter(next: Reload): void {
  present = next;
  for (const listener of listeners) listener();
}

/** Another version is served: its reload is offered at an idle moment, and waits for its user. */
export function offerReload(): void {
  if (!present.isOffered) enter({ ...present, isOffered: true });
}

/** A part that its user asked for is gone from the server: the reload is offered at once, and again with each part. */
export const needReload = (): void => enter({ isOffered: true, missed: present.missed + 1 });
