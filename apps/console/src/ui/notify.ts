import type { NotificationData } from '@mantine/notifications';
import { requestIdOf, wordsFor } from '../api/problem.ts';
import { WORDS } from '../words/index.ts';

/** Notifications are loaded with the first one. */
async function show(notification: NotificationData): Promise<void> {
  const { notifications } = await import('./notifications.ts');
  notifications.show({ ...notification, closeButtonProps: { 'aria-label': WORDS.ui.close } });
}

/** Shows that an act succeeded. */
export const notifyDone = (message: string): void => void show({ message, color: 'green' });

/** Shows that an act succeeded by its title, or that changes are saved, where no words of its own say so. */
export const notifySaved = (title?: string): void =>
  notifyDone(title === undefined ? WORDS.ui.saved : WORDS.ui.succeeded.replace('{title}', title));

/** Shows why an act was refused, where no form can show it. */
export function notifyRefused(error: unknown): void {
  const requestId = requestIdOf(error);
  const message = [wordsFor(error), requestId && `${WORDS.ui.requestId}: ${requestId}`].filter(Boolean).join(' ');
  void show({ message, color: 'red', autoClose: 10_000 });
}
