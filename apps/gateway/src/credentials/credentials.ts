import { ProblemError } from '@gatehouse/contracts-core';
import { AGENT_TOKEN_PREFIX, API_KEY_PREFIX, SETUP_VISIT_PREFIX } from '@gatehouse/contracts-identity';
import type { IncomingHttpHeaders } from 'node:http';
import type { CredentialKind } from '../routes.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { Identified, Introspection } from './introspection.ts';

const BEARER = /^bearer +([A-Za-z0-9._~+/=-]+)$/i;
/** The prefix of the tokens that the service itself verifies, by the kind of route that takes them. */
const VERIFIED_BY_SERVICE = { agent: AGENT_TOKEN_PREFIX, setup: SETUP_VISIT_PREFIX } as const;
const API_KEY = new RegExp(`^${API_KEY_PREFIX}[A-Za-z0-9_-]{43}$`);

/** @throws ProblemError not_authenticated for an Authorization header that holds no bearer token */
function bearerOf(headers: IncomingHttpHeaders): string | null {
  const { authorization } = headers;
  if (authorization === undefined) return null;
  const [, token] = BEARER.exec(authorization.trim()) ?? [];
  if (!token) throw new ProblemError('not_authenticated', 'The Authorization header must hold a bearer token.');
  return token;
}

/** Whether the gateway passes the bearer token on instead of verifying it. */
export const isVerifiedByService = (kind: CredentialKind): kind is keyof typeof VERIFIED_BY_SERVICE =>
  kind in VERIFIED_BY_SERVICE;

const invalidToken = (): ProblemError =>
  new ProblemError('token_invalid', 'The credential is not valid for this address.');

/** Identifies the caller. A credential in the URL is ignored. */
export class Credentials {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly introspection: Introspection,
  ) {}

  /**
   * @returns null if the service itself authenticates the caller (agents, set-up links), or the request has none
   * @throws ProblemError with 401 for a credential that is wrong, of the wrong kind, expired or revoked
   */
  async identify(kind: CredentialKind, headers: IncomingHttpHeaders): Promise<Identified | null> {
    if (kind === 'none') return this.refuseVisitor(headers);
    const bearer = bearerOf(headers);
    if (isVerifiedByService(kind)) {
      if (bearer !== null && !bearer.startsWith(VERIFIED_BY_SERVICE[kind])) throw invalidToken();
      return null;
    }
    if (bearer === null) return this.byApiKey(headers['x-api-key']);
    if (bearer.startsWith(API_KEY_PREFIX)) return this.byApiKey(bearer);
    return this.introspection.ofSession(await this.tokens.sessionOf(bearer));
  }

  /** A public address takes no credential; a visitor's is good for the visitor's own addresses alone (SSO-167). */
  private refuseVisitor({ authorization = '', 'x-api-key': key = '' }: IncomingHttpHeaders): null {
    const [, token = ''] = BEARER.exec(authorization.trim()) ?? [];
    if ([token, key].flat().some((credential) => credential.startsWith(SETUP_VISIT_PREFIX))) throw invalidToken();
    return null;
  }

  private async byApiKey(key: string | string[] | undefined): Promise<Identified | null> {
    if (key === undefined) return null;
    if (typeof key !== 'string' || !API_KEY.test(key)) throw invalidToken();
    return this.introspection.ofApiKey(key);
  }
}
