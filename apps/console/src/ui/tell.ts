import { notifications } from '@mantine/notifications';
import { wordsFor } from '../api/problem.ts';

/** Tells that something was done. */
export const tellDone = (message: string): void => {
  notifications.show({ message, color: 'green' });
};

/** Tells why something was refused, where no form can show it. */
export const tellRefused = (error: unknown): void => {
  notifications.show({ message: wordsFor(error), color: 'red', autoClose: 10_000 });
};
