import { IDENTITY_HEADER, InternalIdentitySigner } from '@gatehouse/auth';
import type { Principal } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import type { RunningProduct } from '@gatehouse/stack';

const id = newId();

/** The caller of direct calls: system scope, with a second factor. */
export const SYSTEM_PRINCIPAL: Principal = {
  kind: 'user',
  id,
  userId: id,
  membershipId: id,
  sessionId: id,
  name: 'Benchmark',
  email: 'benchmark@example.test',
  label: null,
  level: 'system',
  partnerId: null,
  orgId: null,
  orgs: 'all',
  sites: 'all',
  permissions: ['*'],
  mfa: true,
  partnerActive: true,
  confined: false,
  providerId: null,
  expiresAt: null,
};

export const partnerPrincipal = (partnerId: string, orgs: Principal['orgs'] = 'all'): Principal => ({
  ...SYSTEM_PRINCIPAL,
  level: 'partner',
  partnerId,
  orgs,
});

export const organizationPrincipal = (
  partnerId: string,
  orgId: string,
  sites: Principal['sites'] = 'all',
): Principal => ({ ...SYSTEM_PRINCIPAL, level: 'organization', partnerId, orgId, orgs: [orgId], sites });

/** Calls one service as the gateway does: with a signed identity that lives for a minute. */
export class DirectDoor {
  private constructor(
    private readonly signer: InternalIdentitySigner,
    private readonly service: string,
    private readonly serviceUrl: string,
  ) {}

  static async open(product: RunningProduct, service: string): Promise<DirectDoor> {
    return new DirectDoor(
      await InternalIdentitySigner.parse(product.internalIdentityKey),
      service,
      product.endpoints.services[service]?.url ?? '',
    );
  }

  url(path: string): string {
    return `${this.serviceUrl}/api/v1${path}`;
  }

  /**
   * @param name distinguishes principals: for half a minute the signer returns the same token for the same name
   */
  async headers(principal: Principal | null, name: string): Promise<Record<string, string>> {
    return {
      [IDENTITY_HEADER]: await this.signer.tokenFor(this.service, { principal, ip: '127.0.0.1', service: null }, name),
    };
  }
}
