import { restrictTrustedTypes } from './trusted-types.ts';
import { followOtherTabs, goToSignIn, renewSession, takeSsoCode } from './api/session.ts';
import { onStaleChunk } from './shell/worker/new-version.ts';

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
}

window.addEventListener('vite:preloadError', onStaleChunk);

void boot();
