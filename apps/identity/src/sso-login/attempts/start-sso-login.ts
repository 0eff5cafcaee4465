import { asService, type Caller, ProblemError } from '@gatehouse/contracts-core';
import type { SsoProtocol } from '@gatehouse/contracts-identity';
import { randomToken, sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { missingSettings, redirectPath } from '@gatehouse/identity-domain';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import { settingsForCompleteness } from '../../sso-providers/set-provider-status.ts';
import type { SsoProvider } from '../../sso-providers/store/sso-provider.entity.ts';
import { type LoginOwner, LoginSessionsRepository } from './login-sessions.repository.ts';

export interface StartInput {
  readonly owner: LoginOwner;
  readonly protocol: SsoProtocol;
  readonly redirect: unknown;
  readonly linkingUserId?: string;
}

/** A sign-in attempt that waits for the provider's answer. */
export interface StartedLogin {
  readonly provider: SsoProvider;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The id of the SAML request. */
  readonly requestId: string;
}

const SAML_ENTRY = '/api/v1/sso/saml/login';

/** @throws ProblemError sso_provider_not_found, sso_protocol_mismatch, sso_provider_incomplete */
function requireUsable(provider: SsoProvider | null, protocol: SsoProtocol): SsoProvider {
  if (!provider)
    throw new ProblemError('sso_provider_not_found', 'There is no active SSO provider for this organization.');
  if (provider.type !== protocol) {
    const entry = provider.orgId ? `${SAML_ENTRY}/${provider.orgId}` : `${SAML_ENTRY}/partner/${provider.partnerId}`;
    throw new ProblemError(
      'sso_protocol_mismatch',
      protocol === 'oidc' ? `This provider speaks SAML; start at ${entry}.` : 'This provider speaks OpenID Connect.',
      protocol === 'oidc' ? { loginUrl: entry } : {},
    );
  }
  const missing = missingSettings(provider.type, settingsForCompleteness(provider));
  if (missing.length > 0)
    throw new ProblemError('sso_provider_incomplete', 'The provider is not fully configured.', { missing });
  return provider;
}

/**
 * SSO-10: creates fresh secrets for each attempt, of OpenID Connect or SAML, and binds them to the provider's
 * configuration.
 */
@Injectable()
export class StartSsoLogin {
  constructor(
    private readonly work: UnitOfWork,
    private readonly loginSessionsRepository: LoginSessionsRepository,
    private readonly rateLimiter: RateLimiter,
  ) {}

  async execute(caller: Caller, { owner, protocol, redirect, linkingUserId }: StartInput): Promise<StartedLogin> {
    await this.rateLimiter.require('ssoStart', caller.origin.ip ?? 'unknown');
    const [state, nonce, codeVerifier, requestId] = [
      randomToken(),
      randomToken(),
      randomToken(),
      `_${randomToken()}`,
    ] as const;
    const attempt = {
      stateHash: sha256Hex(state),
      nonce,
      codeVerifier,
      redirectPath: redirectPath(redirect),
      linkingUserId: linkingUserId ?? null,
      requestId,
      protocol,
    };
    const provider = await this.work.autocommit(asService('identity', caller.origin), (statement) =>
      this.loginSessionsRepository.begin(statement, owner, attempt),
    );
    return { provider: requireUsable(provider, protocol), state, nonce, codeVerifier, requestId };
  }
}
