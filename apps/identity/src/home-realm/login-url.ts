import { API_PREFIX } from '@gatehouse/contracts-core';
import type { SsoProtocol } from '@gatehouse/contracts-identity';

interface Entry {
  readonly type: SsoProtocol;
  readonly orgId: string | null;
  readonly partnerId: string;
}

/** Returns the address at which a browser starts to sign in through a provider. */
export const loginUrlOf = ({ type, orgId, partnerId }: Entry): string =>
  `${API_PREFIX}/sso/${type === 'saml' ? 'saml/' : ''}login/${orgId ?? `partner/${partnerId}`}`;
