import type { ProviderDto } from '@gatehouse/contracts-identity';
import type { SsoProvider } from './sso-provider.entity.ts';

/** A provider as its administrators see it. */
export function providerView(provider: SsoProvider): ProviderDto {
  const { clientSecretSealed, enforceSso, ownerPartnerId, testedVersion: _t, tokenAuthMethod: _m, createdAt, updatedAt, ...shown } = provider;
  return {
    ...shown, ownerScope: ownerPartnerId === null ? 'organization' : 'partner', partnerId: ownerPartnerId, hasClientSecret: clientSecretSealed !== null, enforceSSO: enforceSso,
    createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString(),
  };
}
