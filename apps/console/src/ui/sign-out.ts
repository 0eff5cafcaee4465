import { ok } from '@gatehouse/client';
import { api } from '../api/client.ts';
import { endSession } from '../api/session.ts';
import { notifyRefused } from './notify.ts';

const steps: (() => Promise<void>)[] = [];

/** Has something else ended before the session: what the browser keeps for its user. */
export const beforeSignOut = (step: () => Promise<void>): void => void steps.push(step);

/**
 * Ends this session, or all sessions of the person, and leads to the sign-in page. A session that the server has not
 * ended goes on, and the person is told.
 */
export async function signOut(path: '/auth/logout' | '/auth/logout-all'): Promise<void> {
  // What cannot be ended now ends when the next person opens the console: signing out does not fail for it.
  await Promise.allSettled(steps.map((step) => step()));
  await ok(api.POST(path, { body: {} as never })).then(endSession, notifyRefused);
}
