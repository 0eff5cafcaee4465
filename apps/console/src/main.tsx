import { restrictTrustedTypes } from './trusted-types.ts';
import { followOtherTabs, goToSignIn, renewSession, takeSsoCode } from './api/session.ts';
import { onStaleChunk } from './shell/worker/new-version.ts';

/** Signs in by the address or the cookie; the application is loaded at the same time and begins with a living session. */
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
