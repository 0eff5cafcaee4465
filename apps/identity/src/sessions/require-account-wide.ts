import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { Reader } from '@gatehouse/database';

const OF_ONE_TENANT = `SELECT id FROM sessions WHERE id = $1 AND via = 'sso' AND membership_count(user_id) > 1`;

/**
 * Factors and passwords protect every membership of a user, but an identity provider is trusted by one tenant only. A
 * session that a provider opened cannot change them while the user has memberships in other tenants, whatever second
 * factor was proved in it.
 * @throws ProblemError permission_denied
 */
export async function requireAccountWide(reader: Reader, { sessionId }: UserCaller): Promise<void> {
  if (!(await reader.one(OF_ONE_TENANT, [sessionId]))) return;
  throw new ProblemError(
    'permission_denied',
    'An identity provider of one of your organisations opened this session. Sign in with your password to change what guards your whole account.',
  );
}
