import { KeyRing } from '@gatehouse/crypto';
import type { StepCode, TraceStep } from '@gatehouse/contracts-identity';
import { Egress, EgressError } from '@gatehouse/egress';
import { type Authentication, type Claims, entraClaims, StepFailure } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyOptions } from 'jose';
import { LRUCache } from 'lru-cache';
import { parse } from 'secure-json-parse';
import { EndpointCheck } from '../../../providers/configuration/settings/endpoint-check.ts';
import { clientSecretContext, type SsoProvider } from '../../../providers/configuration/store/sso-provider.entity.ts';
import { ProviderKeys } from './provider-keys.ts';

/** What a provider says about a user, verified: the answer to a code, or a SAML response. */
export interface VerifiedAnswer {
  /** The ID token first, if there is one, then userinfo: later documents win when claims are mapped. */
  readonly documents: readonly Claims[];
  /** Absent in answers that the release before has stored. */
  readonly authentication?: Authentication;
  readonly accessToken: string | null;
  readonly refreshToken: string | null;
  readonly tokenSeconds: number | null;
}

export interface Redemption {
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
  readonly nonce: string;
}

const OK = 200;
const UNAUTHORIZED = 401;
const SERVER_ERROR = 500;
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];
const SKEW_SECONDS = 60;
/** A provider issues the ID token for this sign-in, so an old one must belong to another. */
const MAX_AGE = '1h';
/** RFC 8725 3.11: tokens for other purposes say so, such as `at+jwt`; an ID token has the type `JWT` or none. */
const OTHER_TYPE = /\+jwt$/i;
const JWKS_CACHE = { max: 1_000, ttl: 10 * 60_000 };
const MAX_STORED_TOKEN = 16_000;
const MAX_TOKEN_SECONDS = 31_536_000;

const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);

function parsedIn(text: string): unknown {
  try {
    return parse(text, { protoAction: 'remove', constructorAction: 'remove' });
  } catch {
    return null;
  }
}

function objectIn(text: string, what: string, step: TraceStep = 'token'): Claims {
  const value = parsedIn(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new StepFailure(step, 'answer_invalid', `${what} is not a JSON object`);
  return value as Claims;
}

function requireIdToken(token: string): void {
  if (OTHER_TYPE.test(decodeProtectedHeader(token).typ ?? ''))
    throw new StepFailure('signature', 'token_invalid', 'the token is no ID token');
}

/** RFC 6749 5.2: which part of the request the token endpoint refused, as far as it says so. */
function refusedTokens(status: number, text: string): StepFailure {
  const said = /"error"\s*:\s*"([a-z_]{1,50})"/.exec(text)?.[1];
  const detail = `the token endpoint answered ${status}${said ? `: ${said}` : ''}`;
  if (said === 'invalid_grant') return new StepFailure('token', 'code_rejected', detail);
  const isClient = said === 'invalid_client' || said === 'unauthorized_client' || status === UNAUTHORIZED;
  const isServer = status >= SERVER_ERROR;
  return new StepFailure(
    'token',
    isClient ? 'client_rejected' : isServer ? 'idp_server_error' : 'answer_invalid',
    detail,
  );
}

const CLAIM_FAULTS: Readonly<Record<string, StepCode>> = {
  iss: 'issuer_mismatch',
  aud: 'audience_mismatch',
  nbf: 'token_expired',
  iat: 'token_expired',
};

/** The fault of a token, without its content. */
function tokenFailure(error: unknown): StepFailure {
  if (error instanceof StepFailure) return error;
  const because = (code: StepCode, detail: string): StepFailure =>
    new StepFailure('signature', code, detail, { cause: error });
  if (error instanceof errors.JWTExpired) return because('token_expired', 'the token has expired');
  if (error instanceof errors.JWTClaimValidationFailed)
    return because(
      (error.reason !== 'missing' && CLAIM_FAULTS[error.claim]) || 'token_invalid',
      `the claim ${error.claim} of the token is ${error.reason === 'missing' ? 'missing' : 'not right'}`,
    );
  if (error instanceof errors.JWKSNoMatchingKey)
    return because('key_unknown', 'the provider publishes no key that fits the token');
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return because('signature_invalid', 'no published key verifies the signature of the token');
  return because('token_invalid', 'the token cannot be read or verified');
}

/** The failure of a call to the provider. */
const callFailure =
  (step: TraceStep, code: StepCode) =>
  (error: unknown): never => {
    if (error instanceof StepFailure) throw error;
    const detail = error instanceof EgressError ? error.message : 'the answer of the provider cannot be used';
    throw new StepFailure(step, code, detail, { cause: error });
  };

/** RFC 6749 7.1: a client must not use a token of an unknown type. Types are compared case-insensitively. */
const isBearer = (type: unknown): boolean => typeof type === 'string' && type.toLowerCase() === 'bearer';

const tokenIn = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= MAX_STORED_TOKEN ? value : null;
const secondsIn = (value: unknown): number | null =>
  typeof value === 'number' && value > 0 && value <= MAX_TOKEN_SECONDS ? Math.trunc(value) : null;

/**
 * Tells whether the sign-in uses OpenID Connect. Without the `openid` scope the provider is used as plain OAuth 2.0,
 * and userinfo identifies the user.
 */
export const asksForIdToken = ({ scopes }: Pick<SsoProvider, 'scopes'>): boolean =>
  scopes.split(/\s+/).includes('openid');

/** @throws StepFailure when no document names a subject */
function documentsOf(provider: SsoProvider, idToken: Claims | null, userInfo: Claims | null): readonly Claims[] {
  const noSubject = (detail: string, cause?: unknown): StepFailure =>
    new StepFailure('claims', 'subject_missing', detail, { cause });
  if (!idToken) {
    if (userInfo && provider.subjectClaim === 'sub') return [userInfo];
    throw noSubject('neither an ID token nor userinfo names a subject');
  }
  try {
    return entraClaims(provider, userInfo ? [idToken, userInfo] : [idToken]);
  } catch (error) {
    throw noSubject('the ID token has no oid of this tenant', error);
  }
}

/** Makes the calls to an OpenID provider, all through egress, and verifies the answers. */
@Injectable()
export class OidcEngine {
  private readonly keySets = new LRUCache<string, ProviderKeys>(JWKS_CACHE);

  constructor(
    private readonly egress: Egress,
    private readonly keyRing: KeyRing,
    private readonly endpointCheck: EndpointCheck,
  ) {}

  /**
   * Redeems a code (RFC 6749 4.1.3, RFC 7636 4.5) and verifies the ID token and userinfo.
   * @throws StepFailure when a call fails or an answer is invalid
   */
  async redeem(provider: SsoProvider, redemption: Redemption): Promise<VerifiedAnswer> {
    await this.endpointCheck.requireReachable(provider).catch(callFailure('token', 'endpoint_refused'));
    const tokens = await this.tokensFor(provider, redemption);
    const { id_token: idToken, access_token: accessToken } = tokens;
    const claims = await this.idTokenClaims(provider, idToken, redemption.nonce);
    const userInfo = provider.userInfoUrl ? await this.userInfoOf(provider, accessToken) : null;
    if (claims && userInfo && claims.sub !== userInfo['sub'])
      throw new StepFailure('claims', 'subject_mismatch', 'userinfo names another subject than the ID token');
    return {
      documents: documentsOf(provider, claims, userInfo),
      authentication: { amr: claims?.['amr'], acr: claims?.['acr'], acrs: claims?.['acrs'] },
      accessToken: tokenIn(accessToken),
      refreshToken: tokenIn(tokens['refresh_token']),
      tokenSeconds: secondsIn(tokens['expires_in']),
    };
  }

  private async tokensFor(provider: SsoProvider, { code, redirectUri, codeVerifier }: Redemption): Promise<Claims> {
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...this.authenticate(provider, form) };
    const request = { method: 'POST', headers, body: form.toString(), compartment: provider.id } as const;
    const { status, text } = await this.egress
      .fetch(provider.tokenUrl ?? '', request)
      .catch(callFailure('token', 'idp_unreachable'));
    if (status !== OK) throw refusedTokens(status, text);
    const tokens = objectIn(text, 'the token answer');
    if (!isBearer(tokens['token_type']))
      throw new StepFailure('token', 'answer_invalid', 'the token answer has tokens of another type than Bearer');
    return tokens;
  }

  /** RFC 6749 2.3.1: the client id and the secret are form-encoded before they are joined into the Basic credential. */
  private authenticate(
    { id, clientId, clientSecretSealed, tokenAuthMethod }: SsoProvider,
    form: URLSearchParams,
  ): Record<string, string> {
    const secret = this.keyRing.open(clientSecretSealed ?? '', clientSecretContext(id));
    if (tokenAuthMethod === 'client_secret_basic')
      return {
        authorization: `Basic ${Buffer.from(`${formEncoded(clientId ?? '')}:${formEncoded(secret)}`).toString('base64')}`,
      };
    form.set('client_id', clientId ?? '');
    form.set('client_secret', secret);
    return {};
  }

  /** OpenID Connect Core 3.1.3.7. The ID token is optional when the scopes lack `openid` (SSO-14). */
  private async idTokenClaims(
    provider: SsoProvider,
    idToken: unknown,
    nonce: string,
  ): Promise<(JWTPayload & Claims) | null> {
    if (idToken === undefined && !asksForIdToken(provider)) return null;
    if (typeof idToken !== 'string')
      throw new StepFailure('token', 'token_missing', 'the token answer has no ID token');
    const payload = await this.verify(provider, idToken, {
      issuer: provider.issuer ?? '',
      audience: provider.clientId ?? '',
      maxTokenAge: MAX_AGE,
      requiredClaims: ['exp', 'iat', 'sub'],
    });
    requireIdToken(idToken);
    if (payload['nonce'] !== nonce)
      throw new StepFailure('signature', 'nonce_mismatch', 'the ID token has another nonce');
    const { aud, azp } = payload;
    const isOurs = azp === undefined ? !Array.isArray(aud) || aud.length === 1 : azp === provider.clientId;
    if (!isOurs) throw new StepFailure('signature', 'audience_mismatch', 'the ID token was issued to another party');
    return payload;
  }

  private verify(provider: SsoProvider, token: string, more: JWTVerifyOptions): Promise<JWTPayload> {
    const expected = { algorithms: ALGORITHMS, clockTolerance: SKEW_SECONDS, ...more };
    return this.keysOf(provider)
      .verify(token, expected)
      .catch((error: unknown) => {
        throw tokenFailure(error);
      });
  }

  /** OpenID Connect Core 5.3.2: userinfo is JSON, or a JWT signed for us if the client is registered that way. */
  private async userInfoOf(provider: SsoProvider, accessToken: unknown): Promise<Claims> {
    if (typeof accessToken !== 'string')
      throw new StepFailure('token', 'token_missing', 'the token answer has no access token');
    const request = { headers: { authorization: `Bearer ${accessToken}` }, compartment: provider.id };
    const { status, contentType, text } = await this.egress
      .fetch(provider.userInfoUrl ?? '', request)
      .catch(callFailure('claims', 'idp_unreachable'));
    if (status !== OK) throw new StepFailure('claims', 'userinfo_refused', `userinfo answered ${status}`);
    if (!/^application\/jwt\b/i.test(contentType)) return objectIn(text, 'userinfo', 'claims');
    return this.verify(provider, text.trim(), { issuer: provider.issuer ?? '', audience: provider.clientId ?? '' });
  }

  private keysOf({ id, jwksUrl }: SsoProvider): ProviderKeys {
    const cacheKey = `${id} ${jwksUrl ?? ''}`;
    const known = this.keySets.get(cacheKey);
    if (known) return known;
    const load = async (): Promise<string> => {
      const { status, text } = await this.egress
        .fetch(jwksUrl ?? '', { compartment: id })
        .catch(callFailure('signature', 'keys_unreachable'));
      if (status === OK) return text;
      throw new StepFailure('signature', 'keys_unreachable', `the address of the keys answered ${status}`);
    };
    const made = new ProviderKeys({ load, maxAgeMs: JWKS_CACHE.ttl });
    this.keySets.set(cacheKey, made);
    return made;
  }
}
