import { isFirstReloadOf } from '../preferences.ts';

let offered = false;
const listeners = new Set<() => void>();

export const isReloadOffered = (): boolean => offered;

export const onReloadOffered = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Another version is served: its reload is offered, and waits for its user. */
export function offerReload(): void {
  offered = true;
  for (const listener of listeners) listener();
}

const ASSET = /\/console\/assets\/[\w.-]+\.(?:js|css)/g;

/** The hashed files that a page names. */
export const assetsOf = (page: string): readonly string[] => page.match(ASSET) ?? [];

/** The files of this page; those that were loaded later stand in its head too. */
export function ownAssets(): readonly string[] {
  const named = document.querySelectorAll<HTMLScriptElement | HTMLLinkElement>('script[src], link[href]');
  return [...named].flatMap((element) => assetsOf('src' in element ? element.src : element.href));
}

/** Whether the server's page names files that this page does not know. */
export const isNewer = (served: readonly string[], own: readonly string[]): boolean =>
  served.some((asset) => !own.includes(asset));

/** A deployment replaced a file that this page names: one reload finds the new one, a second one would not. */
export function onStaleChunk(): void {
  if (isFirstReloadOf(ownAssets()[0] ?? '')) location.reload();
  else offerReload();
}
