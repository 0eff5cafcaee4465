import { type Caller, ProblemError } from '@gatehouse/contracts-core';
import type { GuardedRequest } from '@gatehouse/auth';
import { BASE_URL } from '@gatehouse/service';
import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { isUUID } from 'class-validator';
import { EndpointCheck } from '../sso-providers/settings/endpoint-check.ts';
import { ClaimAttempt, refusedAt } from './attempts/claim-attempt.ts';
import { LoginRefused } from './attempts/login-refused.ts';
import type { ClaimedAttempt, LoginOwner } from './attempts/login-sessions.repository.ts';
import { OidcEngine, type OidcSignIn } from './oidc/oidc-engine.ts';
import { CALLBACK_PATH, type OidcOutcome, type OidcRound } from './oidc.strategy.ts';
import { type StartedLogin, StartSsoLogin } from './attempts/start-sso-login.ts';

/** A request that the OpenID strategy handles. */
export interface OidcRequest extends GuardedRequest {
  oidcRound?: OidcRound;
  /** Set by passport. */
  user?: OidcOutcome;
}

type Query = Readonly<Record<string, unknown>>;

export const redirectUriAt = (baseUrl: string): string => `${baseUrl}${CALLBACK_PATH}`;

const requestOf = (context: ExecutionContext): OidcRequest & { caller: Caller } => context.switchToHttp().getRequest();

/** Returns the tenant that a login address names: an organisation or a partner. */
export function ownerIn(params: unknown): LoginOwner {
  const { orgId, partnerId } = params as { orgId?: string; partnerId?: string };
  if (!isUUID(orgId ?? partnerId))
    throw new ProblemError('sso_provider_not_found', 'There is no active SSO provider for this organization.');
  return orgId ? { orgId } : { partnerId: partnerId ?? '' };
}

/** Begins an attempt; passport then builds the provider's authorization address from it. */
@Injectable()
export class OidcStartGuard extends AuthGuard('oidc') {
  constructor(
    private readonly start: StartSsoLogin,
    private readonly endpoints: EndpointCheck,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const { redirect } = request.query as Query;
    const login = await this.start.execute(request.caller, {
      owner: ownerIn(request.params),
      protocol: 'oidc',
      redirect,
    });
    await this.requireReachable(login);
    request.oidcRound = { kind: 'start', login, redirectUri: redirectUriAt(this.baseUrl) };
    return (await super.canActivate(context)) as boolean;
  }

  private async requireReachable({ provider }: StartedLogin): Promise<void> {
    await this.endpoints.requireReachable(provider).catch((cause: unknown) => {
      throw new LoginRefused(
        'sso_error',
        { providerId: provider.id, partnerId: provider.partnerId, orgId: provider.orgId, linkingUserId: null },
        { cause },
      );
    });
  }
}

const isTextOrAbsent = (value: unknown): boolean => value === undefined || typeof value === 'string';

/** Checks the cookie, the attempt and the configuration generation; then passport redeems the code. */
@Injectable()
export class OidcCallbackGuard extends AuthGuard('oidc') {
  constructor(
    private readonly claim: ClaimAttempt,
    private readonly engine: OidcEngine,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const query = request.query as Query;
    const attempt = await this.claim.execute(request.caller, { state: query['state'], cookie: request.headers.cookie });
    this.requireAnswer(attempt, query);
    const redirectUri = redirectUriAt(this.baseUrl);
    const redeem = (code: string): Promise<OidcSignIn> =>
      this.engine.redeem(attempt, { code, redirectUri, codeVerifier: attempt.codeVerifier, nonce: attempt.nonce });
    request.oidcRound = { kind: 'callback', attempt, redirectUri, redeem };
    return (await super.canActivate(context)) as boolean;
  }

  override handleRequest<T>(error: unknown, outcome: T, _info: unknown, context: ExecutionContext): T {
    const { oidcRound: round } = requestOf(context);
    const at = round?.kind === 'callback' ? refusedAt(round.attempt) : null;
    if (error || !outcome) throw new LoginRefused('sso_error', at, { cause: error });
    return outcome;
  }

  /**
   * Refuses a provider's error, a repeated parameter and another issuer's answer before any call is made. A provider
   * that advertises `iss` always sends it (RFC 9207 2.4).
   */
  private requireAnswer(attempt: ClaimedAttempt, { code, error, iss }: Query): void {
    const isMixedUp = iss === undefined ? attempt.announcesIss : iss !== attempt.issuer;
    if (error !== undefined || isMixedUp || typeof code !== 'string' || code === '' || !isTextOrAbsent(iss)) {
      throw new LoginRefused('sso_error', refusedAt(attempt), {
        cause: new Error(
          typeof error === 'string' ? `the provider answered ${error.slice(0, 100)}` : 'the answer cannot be used',
        ),
      });
    }
  }
}
