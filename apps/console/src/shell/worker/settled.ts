import { ok } from '@gatehouse/client';
import { api } from '../../api/client.ts';
import { settledTags } from './messages.ts';

const PAGE_LENGTH = 100;
const GATHER_MS = 1000;

/** Closes the notifications of approvals that wait no more. */
export async function closeSettled(): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration();
  const shown = (await worker?.getNotifications()) ?? [];
  if (shown.every(({ tag }) => settledTags([tag], [], PAGE_LENGTH).length === 0)) return;
  const query = { status: 'pending' as const, limit: PAGE_LENGTH };
  const { approvals } = await ok(api.GET('/approvals', { params: { query } }));
  const settled = settledTags(
    shown.map(({ tag }) => tag),
    approvals.map(({ id }) => id),
    PAGE_LENGTH,
  );
  for (const notification of shown) if (settled.includes(notification.tag)) notification.close();
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** The same for events, which come in numbers. */
export function closeSettledSoon(): void {
  timer ??= setTimeout(() => {
    timer = undefined;
    closeSettled().catch(() => undefined);
  }, GATHER_MS);
}
