import { askAhead } from './api/transport/send.ts';
import { followOtherTabs, goToSignIn, renewSession, takeSsoCode } from './api/session.ts';
import { QUEUE_ROWS } from './features/approvals/ahead.ts';
import { isFirstReloadOf } from './shell/preferences.ts';
import { ownAssets } from './shell/worker/new-version.ts';
import { isMissingFile, offerReload } from './ui/later/lazy-part.ts';

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
function restrictTrustedTypes(): void {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypesFactory };
  trustedTypes?.createPolicy('default', {
    createHTML: (html) => (html.includes('<') ? refused('markup') : html),
    createScript: () => refused('script text'),
    createScriptURL: (url) => (url === '/sw.js' ? url : refused('a script address')),
  });
}

let isStarted = false;

/** The queue is opened first and most, often from a push: its script and its rows do not wait for the application. */
const isQueue = location.pathname === '/approvals' && location.search === '';

/**
 * Signs in by the code in the address or by the cookie, asks for what the first screen needs, and starts the
 * application. The page fetches it from the beginning; to run it before would delay these calls.
 */
async function boot(): Promise<void> {
  restrictTrustedTypes();
  await takeSsoCode();
  if (!(await renewSession())) return goToSignIn();
  askAhead('/auth/me');
  if (isQueue) {
    askAhead(QUEUE_ROWS);
    import('./features/approvals/screens/approval-queue.tsx').catch(() => undefined);
  }
  followOtherTabs();
  const { start } = await import('./application.tsx');
  await start();
  isStarted = true;
}

/**
 * A deployment has replaced a file that this page names. Before anything is shown, one reload finds the new one; later
 * the user decides when, because what is typed would be lost.
 */
function onMissingFile(): void {
  if (isStarted) offerReload();
  else if (isFirstReloadOf(ownAssets().join())) location.reload();
  else location.replace('/offline.html');
}

window.addEventListener('vite:preloadError', onMissingFile);

// Without a session, or not knowing who has it, there is no screen that could tell what failed.
boot().catch(async (error: unknown) => {
  if (!isMissingFile(error)) (await import('./application.tsx')).showFailure(error);
});
