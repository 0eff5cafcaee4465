import { restrictTrustedTypes } from './trusted-types.ts';
import { followOtherTabs, goToSignIn, renewSession, takeSsoCode } from './api/session.ts';
import { isFirstReloadOf } from './shell/preferences.ts';
import { ownAssets } from './shell/worker/new-version.ts';
import { offerReload } from './ui/later/reload.ts';

let isStarted = false;

/**
 * Signs in by the code in the address or by the cookie. The application is loaded at the same time and starts with a
 * valid session.
 */
async function boot(): Promise<void> {
  restrictTrustedTypes();
  const application = import('./application.tsx');
  await takeSsoCode();
  if (!(await renewSession())) return goToSignIn();
  followOtherTabs();
  const { start } = await application;
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

void boot();
