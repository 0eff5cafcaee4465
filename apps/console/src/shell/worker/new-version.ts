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
