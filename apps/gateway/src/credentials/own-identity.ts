import { IDENTITY_HEADER, type InternalIdentitySigner } from '@gatehouse/auth';
import type { UpstreamName } from '@gatehouse/contracts-core';

/** The headers with which the gateway calls a service on its own behalf. */
export const asGateway = async (
  signer: InternalIdentitySigner,
  audience: UpstreamName,
): Promise<Record<string, string>> => ({
  [IDENTITY_HEADER]: await signer.tokenFor(
    audience,
    { principal: null, ip: null, service: 'gateway' },
    'service gateway',
  ),
});
