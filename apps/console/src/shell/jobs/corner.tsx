import { useSyncExternalStore } from 'react';
import { onReloadState, reloadState } from '../../ui/later/lazy-part.ts';
import { ReloadOffer } from '../worker/reload-offer.tsx';
import { JobPanel } from './job-panel.tsx';

/** What happens beside the screen, at its lower end. */
export function Corner() {
  const { isOffered, missed } = useSyncExternalStore(onReloadState, reloadState);
  return (
    <div className="gh-corner">
      <JobPanel />
      {isOffered && <ReloadOffer key={missed} isNeeded={missed > 0} />}
    </div>
  );
}
