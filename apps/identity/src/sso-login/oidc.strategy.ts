import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { createHash } from 'node:crypto';
import { Strategy } from 'passport-openidconnect';
import type { ClaimedAttempt } from './attempts/login-sessions.repository.ts';
import { asksForIdToken, type OidcSignIn, SKEW_SECONDS } from './oidc/oidc-engine.ts';
import type { SsoProvider } from '../sso-providers/store/sso-provider.entity.ts';
import type { StartedLogin } from './attempts/start-sso-login.ts';

export const CALLBACK_PATH = '/api/v1/sso/callback';

/**
 * The input of the strategy for one request; the guards set it before passport runs. Everything that the strategy needs
 * is passed this way, because passport keeps one strategy per process, and several services may share that process.
 */
export type OidcRound = { readonly redirectUri: string } & (
  | { readonly kind: 'start'; readonly login: StartedLogin }
  | {
      readonly kind: 'callback';
      readonly attempt: ClaimedAttempt;
      readonly redeem: (code: string) => Promise<OidcSignIn>;
    }
);

/** The result of passport's run. */
export type OidcOutcome = { readonly location: string } | OidcSignIn;

interface RoundRequest {
  readonly oidcRound?: OidcRound;
}

type AccessTokenCallback = (error: Error | null, accessToken?: string, refreshToken?: string, params?: object) => void;
type VerifyCallback = (error: Error | null, context?: object, state?: unknown) => void;
type StoreCallback = (error: Error | null, state: string) => void;

/** The number of callback parameters with which passport-openidconnect also passes the token answer. */
const WITH_TOKEN_ANSWER = 9;
const NOT_USED = 'https://set-for-each-request.invalid';

/**
 * Adds to passport-openidconnect what it lacks: PKCE, our own state store, calls with limits through egress, and a
 * verified ID token. Passport runs it on an object created per request, so tenants never share settings. All of its own
 * calls are replaced: they have neither size limits nor timeouts, and a malformed answer would crash the process.
 */
@Injectable()
export class OidcStrategy extends PassportStrategy(Strategy, 'oidc', WITH_TOKEN_ANSWER) {
  constructor() {
    super({
      issuer: NOT_USED,
      authorizationURL: NOT_USED,
      tokenURL: NOT_USED,
      userInfoURL: NOT_USED,
      callbackURL: NOT_USED,
      clientID: NOT_USED,
      clientSecret: '',
      skipUserProfile: true,
    });
  }

  override authenticate(...[request, options]: Parameters<Strategy['authenticate']>): void {
    const { oidcRound: round } = request as RoundRequest;
    if (!round) throw new Error('the OpenID strategy ran without a round');
    Object.assign(this, this.settingsFor(round), {
      // The controller sends the reply after the guard: passport would write to a Node response, which Fastify lacks.
      redirect: (location: string) =>
        this.success({ location: asksForIdToken(providerOf(round)) ? location : withoutOpenId(location) }),
    });
    super.authenticate(request, options);
  }

  /** Passport calls this after the strategy's own checks of the ID token. */
  validate(
    ...[, , , , , , , params]: [unknown, unknown, unknown, unknown, unknown, unknown, unknown, { signIn: OidcSignIn }]
  ): OidcSignIn {
    return params.signIn;
  }

  private settingsFor(round: OidcRound): object {
    const provider = providerOf(round);
    const settings = {
      _issuer: provider.issuer,
      _callbackURL: round.redirectUri,
      _scope: provider.scopes.split(/\s+/).filter((scope) => scope && scope !== 'openid'),
    };
    const client = {
      _clientId: provider.clientId,
      _authorizeUrl: provider.authorizationUrl,
      _accessTokenUrl: provider.tokenUrl,
    };
    return round.kind === 'start'
      ? this.startSettings(round.login, settings, client)
      : this.callbackSettings(round, settings, client);
  }

  private startSettings({ state, nonce, codeVerifier }: StartedLogin, settings: object, client: object): object {
    const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
    return {
      ...settings,
      _oauth2: client,
      authorizationParams: () => ({ nonce, code_challenge: codeChallenge, code_challenge_method: 'S256' }),
      _stateStore: {
        store: (...[, , , , done]: [unknown, unknown, unknown, unknown, StoreCallback]) => done(null, state),
      },
    };
  }

  private callbackSettings(
    { attempt, redeem }: Extract<OidcRound, { kind: 'callback' }>,
    settings: object,
    client: object,
  ): object {
    const getOAuthAccessToken = (code: string, _params: unknown, done: AccessTokenCallback): void => {
      redeem(code).then(
        (signIn) =>
          done(null, signIn.accessToken ?? '', signIn.refreshToken ?? '', {
            id_token: verifiedClaims(signIn, attempt),
            signIn,
          }),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      );
    };
    return {
      ...settings,
      _oauth2: { ...client, getOAuthAccessToken },
      _stateStore: {
        verify: (...[, , done]: [unknown, unknown, VerifyCallback]) => done(null, { nonce: attempt.nonce }),
      },
    };
  }
}

const providerOf = (round: OidcRound): SsoProvider => (round.kind === 'start' ? round.login.provider : round.attempt);

/** Removes `openid`, which the strategy always requests, from the scopes. */
const withoutOpenId = (location: string): string => location.replace('scope=openid%20', 'scope=');

/**
 * The strategy checks `exp` without clock skew, so it gets the verified claims with the skew already added. It also
 * requires an ID token, so it gets a generated one where the provider need not send any.
 */
function verifiedClaims({ documents: [claims] }: OidcSignIn, { issuer, clientId, nonce }: ClaimedAttempt): string {
  const now = Math.floor(Date.now() / 1000);
  const { exp, ...others } = { iss: issuer, aud: clientId, nonce, iat: now, exp: now, ...(claims as { exp?: number }) };
  const payload = Buffer.from(JSON.stringify({ ...others, exp: exp + SKEW_SECONDS })).toString('base64url');
  return `.${payload}.`;
}
