import type { LinkError, LoginError } from '@gatehouse/contracts-identity';

/** Whose sign-in it was, as far as it is known. */
export interface RefusedAt {
  readonly providerId: string;
  readonly partnerId: string;
  readonly orgId: string | null;
  readonly linkingUserId: string | null;
}

/** A sign-in or a linking in the browser that ends at a page of ours with a code, and leaves nothing behind. */
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
