import { useSyncExternalStore } from 'react';
import { isReloadOffered, onReloadOffered } from '../worker/new-version.ts';
import { ReloadOffer } from '../worker/reload-offer.tsx';
import { JobPanel } from './job-panel.tsx';

/** What happens beside the screen, at its lower end. */
export function Corner() {
  const reload = useSyncExternalStore(onReloadOffered, isReloadOffered);
  return (
    <div className="gh-corner">
      <JobPanel />
      {reload && <ReloadOffer />}
    </div>
  );
}
