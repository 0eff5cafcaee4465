/// <reference lib="webworker" />
import { matchPrecache, precacheAndRoute } from 'workbox-precaching';
import { notificationOf, type PushMessage, TAKE_OVER, TAKE_OVER_ALONE } from './shell/worker/messages.ts';

declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: { url: string; revision: string | null }[] };

precacheAndRoute(self.__WB_MANIFEST);

/** Only pages that cannot be loaded get the offline page; nothing of the API is ever kept. */
self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  event.respondWith(fetch(event.request).catch(async () => (await matchPrecache('/offline.html')) ?? Response.error()));
});

/** The server's neutral title, one notification for each approval and each request that has ended. */
self.addEventListener('push', (event) => {
  const { title, tag, data } = notificationOf(event.data?.json() as PushMessage);
  event.waitUntil(self.registration.showNotification(title, { tag, data, icon: '/console/icon.svg' }));
});

/** Opens the approval or the request. There is no button that decides: a lock screen proves nothing about its user. */
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(String(event.notification.data)));
});

/** A page that is about to reload lets this version take over from the one that it was opened with. */
self.addEventListener('message', (event) => {
  const data: unknown = event.data;
  if (data === TAKE_OVER) void self.skipWaiting();
  if (data === TAKE_OVER_ALONE) event.waitUntil(takeOverAlone());
});

/** The first worker of a browser serves the page that installed it too: its files may be replaced while it is open. */
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

async function takeOverAlone(): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (pages.length <= 1) await self.skipWaiting();
}

async function open(path: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window' });
  const shown = windows[0];
  if (!shown) return void (await self.clients.openWindow(path));
  await shown.focus();
  await shown.navigate(path);
}
