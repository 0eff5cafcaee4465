/** The part of the Trusted Types API that this page uses; TypeScript's libraries do not have it yet. */
interface TrustedTypesFactory {
  createPolicy(name: string, rules: Record<string, (input: string) => string>): unknown;
}

const refused = (what: string): never => {
  throw new TypeError(`${what} is not allowed on this page`);
};

/**
 * Mantine writes the text of its style elements through `innerHTML`, so the default policy lets text without markup
 * pass and refuses all other. The one script that may be loaded by address is the service worker.
 */
export function restrictTrustedTypes(): void {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypesFactory };
  trustedTypes?.createPolicy('default', {
    createHTML: (html) => (html.includes('<') ? refused('markup') : html),
    createScript: () => refused('script text'),
    createScriptURL: (url) => (url === '/sw.js' ? url : refused('a script address')),
  });
}
