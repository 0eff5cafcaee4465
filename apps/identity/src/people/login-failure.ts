import type { Tx } from '@gatehouse/database';
import type { Account } from './accounts.repository.ts';

interface InTenant {
  readonly partnerId: string | null;
  readonly orgId: string | null;
}

/** The tenant whose audit log records an action on the user: that of the first membership. */
export function tenantOf(memberships: readonly InTenant[] = []): InTenant {
  const [{ partnerId, orgId } = { partnerId: null, orgId: null }] = memberships;
  return { partnerId, orgId };
}

/** Records a failed sign-in. The reason goes to the audit log only; no response contains it. */
export function recordLoginFailure(tx: Tx, account: Account | null, details: Readonly<Record<string, unknown>>): void {
  const resource = { type: 'user', id: account?.id ?? null, name: account?.email ?? null };
  tx.audit({ action: 'user.login_failed', resource, result: 'failure', ...tenantOf(account?.memberships), details });
}
