import type { LinkError, LoginError } from '@gatehouse/contracts-identity';

/** The provider, tenant and user of the refused sign-in, as far as they are known. */
export interface RefusedAt {
  readonly providerId: string;
  readonly partnerId: string;
  readonly orgId: string | null;
  readonly linkingUserId: string | null;
}

/**
 * A refused sign-in or linking: the browser is redirected to one of our pages with an error code, and nothing is
 * stored.
 */
export class LoginRefused extends Error {
  constructor(
    readonly code: LoginError | LinkError,
    readonly at: RefusedAt | null = null,
    options?: ErrorOptions,
  ) {
    super(`sign-in refused: ${code}`, options);
    this.name = 'LoginRefused';
  }
}
