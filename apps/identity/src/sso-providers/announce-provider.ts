import { SsoProviderChanged } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';
import type { SsoProvider } from '../sso-providers/store/sso-provider.entity.ts';

/** Tells consoles that a provider was created, changed or deleted. */
export function announceProvider(tx: Tx, provider: SsoProvider, { deleted = false } = {}): void {
  const { id, partnerId, orgId, status, enforceSso } = provider;
  tx.emit(
    SsoProviderChanged,
    { providerId: id, partnerId, orgId, status, enforceSSO: enforceSso, deleted },
    { aggregateId: id },
  );
}
