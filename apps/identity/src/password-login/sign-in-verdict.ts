import type { Account } from '../people/accounts.repository.ts';

/**
 * Why a password sign-in fails. Recorded in the audit log; the outside cannot tell one from another. `overtaken`: the
 * password was
 * right, but was replaced, or its account locked, while it was checked.
 */
export type SignInFault =
  'unknown_user' | 'sso_enforced' | 'locked' | 'wrong_password' | 'not_active' | 'no_membership' | 'overtaken';

/**
 * The order keeps secrets: what governs or locks an account is decided before its password counts, so a right password
 * behaves like a wrong one there.
 * @param chosenId the membership that the person wants to sign in to, when they said which
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
