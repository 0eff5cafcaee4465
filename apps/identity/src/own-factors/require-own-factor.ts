import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { requireAccountWide } from '../sessions/require-account-wide.ts';

const VOUCHED_FOR = `
  SELECT s.id FROM sessions s
   WHERE s.id = $1 AND s.mfa_via = 'idp' AND EXISTS (SELECT FROM mfa_factors f WHERE f.user_id = s.user_id AND f.confirmed_at IS NOT NULL)`;

/**
 * A provider's second factor counts only for the provider's tenant; a user's own factors protect the whole account. A
 * user who has a factor of their own must prove it before factors or recovery codes change.
 * @throws ProblemError permission_denied for the session of one tenant's provider, mfa_required
 */
export async function requireOwnFactor(tx: Tx, caller: UserCaller): Promise<void> {
  await requireAccountWide(tx, caller);
  if (await tx.one(VOUCHED_FOR, [caller.sessionId]))
    throw new ProblemError(
      'mfa_required',
      'Confirm your own second factor first; that of your identity provider does not stand in for it here.',
    );
}
