import { useComputedColorScheme } from '@mantine/core';
import { useElementSize, useTimeout } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { useMe } from '../api/me.ts';
import { lazyPart, onReloadState, reloadState } from '../ui/later/lazy-part.ts';
import { TOLD_IN_PLACE } from '../ui/unread.tsx';
import { brandingQuery, isColor, unreadableIn } from './theme.ts';
import { ReloadOffer } from './worker/reload-offer.tsx';
import { JobPanel } from './jobs/job-panel.tsx';

// What stands and goes on beside the screens. It is one file because all of it is loaded once the first paint is there.
export { AccountMenu } from './menus/account-menu.tsx';
export { ContextSwitcher } from './menus/context-switcher.tsx';
export { NavCount } from './menus/nav-count.tsx';
export { startWorker } from './worker/start.ts';

const Notifications = lazyPart(async () => ({ default: (await import('../ui/notifications.ts')).Notifications }));

/** The first view needs its calls for what it shows. */
const ASK_AFTER_MS = 5000;

function useIsTime(): boolean {
  const [isTime, setTime] = useState(false);
  useTimeout(() => setTime(true), ASK_AFTER_MS, { autoInvoke: true });
  return isTime;
}

/** The colour of the partner, for its own people, where it is not too faint in this appearance. */
function useTint(isTime: boolean): void {
  const { scope } = useMe();
  const scheme = useComputedColorScheme();
  const query = { ...brandingQuery, enabled: isTime && scope === 'partner', meta: TOLD_IN_PLACE };
  const color = useQuery(query).data?.accentColor ?? '';
  const tint = isColor(color) && !unreadableIn(color).includes(scheme) ? color : null;
  useEffect(() => document.documentElement.style.setProperty('--gh-tint', tint), [tint]);
}

/** What happens beside the screen, at its lower end. The page learns its height, and keeps as much free at its end. */
export function SideNotices() {
  const { isOffered, missed } = useSyncExternalStore(onReloadState, reloadState);
  const { ref, height } = useElementSize();
  const isTime = useIsTime();
  useTint(isTime);
  useEffect(() => document.documentElement.style.setProperty('--gh-notices', `${height}px`), [height]);
  return (
    <div className="gh-corner" ref={ref}>
      <Suspense fallback={null}>
        <Notifications withinPortal={false} position="bottom-right" />
      </Suspense>
      <JobPanel isTime={isTime} />
      {isOffered && <ReloadOffer key={missed} isNeeded={missed > 0} />}
    </div>
  );
}
