import { ok } from '@gatehouse/client';
import { api } from '../../api/client.ts';
import { changePreferences, preferences } from '../preferences.ts';

const LOCK = 'gatehouse-push';

export const canReceivePushes = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window;

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));

async function digestOf(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}

/** The browser's subscription, made when there is none. */
async function subscription(): Promise<PushSubscription> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const present = await pushManager.getSubscription();
  if (present) return present;
  const { publicKey } = (await ok(api.GET('/push-subscriptions/vapid-key'))).data;
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(publicKey) });
}

async function register(made: PushSubscription, label: string | null): Promise<void> {
  const { endpoint = '', keys } = made.toJSON();
  const { p256dh = '', auth = '' } = keys ?? {};
  const body = { kind: 'webpush' as const, endpoint, keys: { p256dh, auth }, label };
  const { id } = (await ok(api.POST('/push-subscriptions', { body }))).data;
  changePreferences({ push: { id, digest: await digestOf(endpoint) } });
}

/** Asks the browser for permission and subscribes it to new approvals. */
export async function subscribeHere(label: string): Promise<void> {
  if ((await Notification.requestPermission()) === 'granted') await register(await subscription(), label);
}

const remove = (id: string) => ok(api.DELETE('/push-subscriptions/{id}', { params: { path: { id } } }));

/** Removes a subscription; if it is this browser's, the browser forgets it too. */
export async function removePush(id: string): Promise<void> {
  await remove(id);
  if (preferences().push?.id !== id) return;
  changePreferences({ push: null });
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe();
}

async function replace(known: { readonly id: string; readonly digest: string }): Promise<void> {
  const present = await subscription();
  if ((await digestOf(present.endpoint)) === known.digest) return;
  const rows = (await ok(api.GET('/push-subscriptions'))).data;
  const former = rows.find(({ id }) => id === known.id);
  await register(present, former?.label ?? null);
  if (former) await remove(former.id);
}

/**
 * Registers a subscription that the browser has changed (`pushsubscriptionchange`). The service worker has no session
 * with which to tell the server, so the console does it when it is opened next.
 */
export async function repairSubscription(): Promise<void> {
  await navigator.locks.request(LOCK, async () => {
    const { push } = preferences();
    if (push !== null && Notification.permission === 'granted') await replace(push);
  });
}
