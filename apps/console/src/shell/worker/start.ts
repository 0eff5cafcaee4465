import { servedPage } from '../../api/version.ts';
import { assetsOf, isNewer, isReloadOffered, offerReload, ownAssets } from './new-version.ts';
import { closeSettled } from './settled.ts';
import { canReceivePushes, repairSubscription } from './subscription.ts';

const CHECK_EVERY_MS = 10 * 60_000;
let checkedAt = Date.now();

async function checkVersion(): Promise<void> {
  if (document.visibilityState === 'hidden' || isReloadOffered() || Date.now() - checkedAt < CHECK_EVERY_MS) return;
  checkedAt = Date.now();
  if (isNewer(assetsOf(await servedPage()), ownAssets())) offerReload();
}

/** Begins what goes on beside the screens: the worker, its pushes, and the watch for another version. */
export async function startWorker(): Promise<void> {
  setInterval(() => void checkVersion(), CHECK_EVERY_MS);
  document.addEventListener('visibilitychange', () => void checkVersion());
  if (!('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register('/sw.js');
  // What fails here is tried again at the next opening.
  await closeSettled().catch(() => undefined);
  if (canReceivePushes()) await repairSubscription().catch(() => undefined);
}
