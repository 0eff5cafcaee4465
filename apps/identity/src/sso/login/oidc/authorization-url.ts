import { claimsRequest } from '@gatehouse/identity-domain';
import { createHash } from 'node:crypto';
import OpenIDConnectStrategy from 'passport-openidconnect';
import type { StartedLogin } from '../attempts/sso-login-attempts.service.ts';
import { asksForIdToken } from './oidc-engine.ts';

export const CALLBACK_PATH = '/api/v1/sso/callback';

export const redirectUriAt = (baseUrl: string): string => `${baseUrl}${CALLBACK_PATH}`;

type StateStore = InstanceType<(typeof OpenIDConnectStrategy)['SessionStore']>;

const noCallbacks = (): Error => new Error('passport-openidconnect does not handle callbacks here');

/** The library stores nothing: our attempt is stored already, and `ClaimAttempt` verifies its state. */
const storeOf = (state: string): StateStore => ({
  store: (...call) => call[4](null, state),
  verify: (_request, _state, done) => done(noCallbacks()),
});

/** RFC 7636 4.2. */
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

class AuthorizationRequest extends OpenIDConnectStrategy {
  constructor(
    private readonly login: StartedLogin,
    callbackURL: string,
  ) {
    const { provider, state } = login;
    super(
      {
        issuer: provider.issuer ?? '',
        authorizationURL: provider.authorizationUrl ?? '',
        tokenURL: provider.tokenUrl ?? '',
        userInfoURL: provider.userInfoUrl ?? '',
        callbackURL,
        clientID: provider.clientId ?? '',
        clientSecret: '',
        scope: provider.scopes.split(/\s+/).filter((scope) => scope && scope !== 'openid'),
        store: storeOf(state),
      },
      (_issuer: string, _profile: unknown, done: (error: Error) => void) => done(noCallbacks()),
    );
  }

  override authorizationParams(): object {
    const { nonce, codeVerifier, provider } = this.login;
    const claims = claimsRequest(provider);
    return {
      nonce,
      ...(claims && { claims }),
      code_challenge: challengeOf(codeVerifier),
      code_challenge_method: 'S256',
    };
  }
}

/** Removes `openid`, which the library always requests, for a provider that is used as plain OAuth 2.0. */
const withoutOpenId = (location: string): string => location.replace('scope=openid%20', 'scope=');

/**
 * Builds the address of the provider to which the browser is sent (SSO-10), with passport-openidconnect. Only this half
 * of the library is used: its own calls have neither a size limit nor a timeout, a malformed answer to them crashes the
 * process, and it requires an ID token even where none is asked for. `OidcEngine` makes them instead.
 * @param callbackUrl the address of ours to which the provider returns the browser
 */
export function authorizationUrl(login: StartedLogin, callbackUrl: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new AuthorizationRequest(login, callbackUrl);
    // The caller of a strategy sets these methods, and the strategy reports its outcome by them.
    request.redirect = (location) => resolve(asksForIdToken(login.provider) ? location : withoutOpenId(location));
    request.error = reject;
    request.authenticate({} as Parameters<OpenIDConnectStrategy['authenticate']>[0]);
  });
}
