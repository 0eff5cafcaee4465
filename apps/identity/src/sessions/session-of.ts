import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';

/** The session id of a signed-in user; API keys have none. */
export function sessionOf(caller: UserCaller): string {
  if (caller.kind !== 'user' || !caller.sessionId)
    throw new ProblemError('permission_denied', 'This is for signed-in people, not for API keys.');
  return caller.sessionId;
}
