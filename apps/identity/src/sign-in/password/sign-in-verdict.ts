import type { Account } from '../../people/accounts.repository.ts';

/**
 * Why a password sign-in fails. The audit log records the reason; responses are the same for all of them. `overtaken`:
 * the password was correct, but was replaced, or its account locked, during the check.
 */
export type SignInFault =
  'unknown_user' | 'sso_enforced' | 'locked' | 'wrong_password' | 'not_active' | 'no_membership' | 'overtaken';

/**
 * The order prevents disclosure: enforcement and locks are checked before the password, so for such accounts a correct
 * password gives the same result as a wrong one.
 * @param chosenId the membership that the user wants to sign in to, if they chose one
 */
export function signInFault(account: Account | null, passwordMatches: boolean, chosenId?: string): SignInFault | null {
  if (!account) return 'unknown_user';
  if (account.governed || account.memberships.some(({ id, governed }) => governed && id === chosenId))
    return 'sso_enforced';
  if (account.locked) return 'locked';
  if (!passwordMatches) return 'wrong_password';
  if (account.status !== 'active') return 'not_active';
  return account.memberships.length === 0 ? 'no_membership' : null;
}
