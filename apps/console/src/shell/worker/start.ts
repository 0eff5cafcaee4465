import { servedPage } from '../../api/browser.ts';
import { offerReload, reloadState } from '../../ui/later/lazy-part.ts';
import { onLiveState } from '../live-updates.ts';
import { assetsOf, isNewer, ownAssets } from './new-version.ts';
import { closeSettled } from './settled.ts';
import { canReceivePushes, repairSubscription } from './subscription.ts';
import { TAKE_OVER_ALONE } from './messages.ts';

const CHECK_EVERY_MS = 10 * 60_000;
const MIN_BETWEEN_MS = 30_000;
const LOOK_MS = 200;
const MAX_LOOKS = 50;
let checkedAt = Date.now();

/** Compares this page with the one that the server has now. */
async function isOutdated(): Promise<boolean> {
  if (reloadState().isOffered) return true;
  checkedAt = Date.now();
  if (isNewer(assetsOf(await servedPage()), ownAssets())) offerReload();
  return reloadState().isOffered;
}

async function checkVersion(): Promise<void> {
  if (document.visibilityState === 'hidden' || !(await isOutdated())) return;
  // The worker of the new version is fetched ahead, so that the reload finds it.
  const worker = await navigator.serviceWorker?.getRegistration();
  await worker?.update().catch(() => undefined);
}

/** A rollout ends streams, moves people to other tabs and lasts as long as a lost network: each is a time to look. */
function watchVersion(): void {
  const look = () => void checkVersion();
  const lookAgain = () => void (Date.now() - checkedAt > MIN_BETWEEN_MS && look());
  setInterval(look, CHECK_EVERY_MS);
  document.addEventListener('visibilitychange', lookAgain);
  window.addEventListener('online', look);
  onLiveState((state) => void (state === 'live' && lookAgain()));
}

/** Lets a waiting worker take over when its version is that of this page, and no other page is open. */
async function handOver(worker: ServiceWorkerRegistration): Promise<void> {
  if (worker.waiting && !(await isOutdated())) worker.waiting?.postMessage(TAKE_OVER_ALONE);
}

async function followWorker(): Promise<void> {
  const worker = await navigator.serviceWorker.register('/sw.js');
  const follow = () => worker.installing?.addEventListener('statechange', () => void handOver(worker));
  worker.addEventListener('updatefound', follow);
  // The former page may have begun to install it.
  follow();
  // Another tab has reloaded: what this one still needs may be gone with the former worker.
  navigator.serviceWorker.addEventListener('controllerchange', () => void checkVersion());
  await handOver(worker);
}

/** Without these parts input could be lost while a rollout goes on, so they are there before. */
const loadAhead = () =>
  Promise.all([
    import('../step-up-dialog.tsx'),
    import('../../ui/forms/leave-dialog.tsx'),
    import('../../ui/notifications.ts'),
  ]);

/** The first screen does not share its network with what it does not need: at most for ten seconds. */
async function untilShown(isRead: () => boolean): Promise<void> {
  const isShown = () => document.querySelector('main h1') !== null && isRead();
  for (let looks = 0; looks < MAX_LOOKS && !isShown(); looks++)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

/**
 * Begins what goes on beside the screens: the worker, its pushes, and the watch for another version.
 * @param isRead whether the screen has all that it asked for
 */
export async function startWorker(isRead: () => boolean): Promise<void> {
  watchVersion();
  await untilShown(isRead);
  // What fails here is tried again when it is needed, or at the next opening.
  await loadAhead().catch(() => undefined);
  if (!('serviceWorker' in navigator)) return;
  // A browser may refuse workers, as private windows do.
  await followWorker().catch(() => undefined);
  await closeSettled().catch(() => undefined);
  if (canReceivePushes()) await repairSubscription().catch(() => undefined);
}
