/// <reference lib="webworker" />
import { precacheAndRoute } from 'workbox-precaching';

declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: { url: string; revision: string | null }[] };

precacheAndRoute(self.__WB_MANIFEST);

/** Only pages that cannot be loaded get the offline page; nothing of the API is ever kept. */
self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  event.respondWith(fetch(event.request).catch(async () => (await caches.match('/offline.html')) ?? Response.error()));
});

interface Push {
  readonly approvalId: string;
  readonly title: string;
}

/** The server's neutral title, one notification for each approval. */
self.addEventListener('push', (event) => {
  const { approvalId, title } = event.data?.json() as Push;
  event.waitUntil(self.registration.showNotification(title, { tag: approvalId, data: approvalId, icon: '/icon.svg' }));
});

/** Opens the approval. There is no button that decides: a lock screen proves nothing about its user. */
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(`/approvals/${String(event.notification.data)}`));
});

async function open(path: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window' });
  const shown = windows[0];
  if (!shown) return void (await self.clients.openWindow(path));
  await shown.focus();
  await shown.navigate(path);
}
