import { useSyncExternalStore } from 'react';
import { onReloadState, reloadState } from '../ui/later/lazy-part.ts';
import { ReloadOffer } from './worker/reload-offer.tsx';
import { JobPanel } from './jobs/job-panel.tsx';

// What stands and goes on beside the screens. It is one file because all of it is loaded once the first paint is there.
export { AccountMenu } from './menus/account-menu.tsx';
export { ContextSwitcher } from './menus/context-switcher.tsx';
export { NavCount } from './menus/nav-count.tsx';
export { startWorker } from './worker/start.ts';

/** What happens beside the screen, at its lower end. */
export function SideNotices() {
  const { isOffered, missed } = useSyncExternalStore(onReloadState, reloadState);
  return (
    <div className="gh-corner">
      <JobPanel />
      {isOffered && <ReloadOffer key={missed} isNeeded={missed > 0} />}
    </div>
  );
}
