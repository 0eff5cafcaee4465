import { ok } from '@gatehouse/client';
import { api } from '../../api/client.ts';
import { changePreferences, type Preferences, preferences } from '../preferences.ts';

type Registration = NonNullable<Preferences['push']>;

const LOCK = 'gatehouse-push';

export const canReceivePushes = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window;

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));

async function digestOf(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}

const signedIn = async (): Promise<string> => digestOf((await ok(api.GET('/auth/me'))).user.id);
const rowsOfUser = async () => (await ok(api.GET('/push-subscriptions'))).data;
const remove = (id: string) => ok(api.DELETE('/push-subscriptions/{id}', { params: { path: { id } } }));

/** One that names no owner is of an earlier version: the server knows whose it is. */
async function isOwn({ id, owner }: Registration): Promise<boolean> {
  if (owner !== undefined) return owner === (await signedIn());
  return (await rowsOfUser()).some((row) => row.id === id);
}

/** The browser forgets its subscription, with what is shown of it. The push service then refuses further messages. */
async function forgetHere(): Promise<void> {
  changePreferences({ push: null });
  const worker = await navigator.serviceWorker.getRegistration();
  for (const shown of (await worker?.getNotifications()) ?? []) shown.close();
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
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
  const owner = await signedIn();
  const body = { kind: 'webpush' as const, endpoint, keys: { p256dh, auth }, label };
  const { id } = (await ok(api.POST('/push-subscriptions', { body }))).data;
  changePreferences({ push: { id, digest: await digestOf(endpoint), owner } });
}

/** Asks the browser for permission and subscribes it to new approvals, never at the address of another person. */
export async function subscribeHere(label: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return;
  const { push } = preferences();
  if (push === null || !(await isOwn(push))) await forgetHere();
  await register(await subscription(), label);
}

/** Removes a subscription; if it is this browser's, the browser forgets it too. */
export async function removePush(id: string): Promise<void> {
  await remove(id);
  if (preferences().push?.id === id) await forgetHere();
}

/** Ends the pushes to this browser, whose user signs out. */
export async function leavePushes(): Promise<void> {
  const { push } = preferences();
  if (push === null || !canReceivePushes()) return;
  await forgetHere();
  await remove(push.id);
}

async function replace(known: Registration): Promise<void> {
  const present = await subscription();
  if ((await digestOf(present.endpoint)) === known.digest) return;
  const former = (await rowsOfUser()).find(({ id }) => id === known.id);
  await register(present, former?.label ?? null);
  if (former) await remove(former.id);
}

/**
 * Registers a subscription that the browser has changed (`pushsubscriptionchange`), and drops that of another person
 * who used this browser before. The service worker has no session with which to tell the server, so the console does it
 * when it is opened next.
 */
export async function repairSubscription(): Promise<void> {
  await navigator.locks.request(LOCK, async () => {
    const { push } = preferences();
    if (push === null) return;
    if (!(await isOwn(push))) await forgetHere();
    else if (Notification.permission === 'granted') await replace(push);
  });
}
