import type { Principal } from '@gatehouse/contracts-core';

/**
 * `POST /api/v1/internal/introspect`, for the gateway only: the current principal of a verified access token or an API
 * key.
 */
export interface IntrospectionRequest {
  /** The `sid` of an access token whose signature, audience and expiry the gateway has verified. */
  readonly sessionId?: string;
  /** SHA-256 of an API key, in hex. */
  readonly apiKeyHash?: string;
}

export type IntrospectionResponse =
  | { readonly active: true; readonly principal: Principal }
  | { readonly active: false; readonly code: 'session_revoked' | 'token_invalid' | 'token_expired' };

/** Request subject on which identity replies with what a session or an API key permits at present. */
export const PRESENT_PRINCIPAL = 'ask.identity.principal';

export type PrincipalQuestion = { readonly sessionId: string } | { readonly apiKeyId: string };

export interface PresentPrincipal {
  /** Null when the session or key is no longer valid. */
  readonly principal: Principal | null;
}

/** Claims of the access token (RFC 9068): ES256, 15 minutes. */
export interface AccessTokenClaims {
  readonly sub: string;
  readonly sid: string;
  readonly scope: 'system' | 'partner' | 'organization';
  readonly partnerId: string | null;
  readonly orgId: string | null;
  readonly mfa: { readonly at: string; readonly via: string } | null;
}

export const ACCESS_TOKEN_ISSUER = 'gatehouse';
export const ACCESS_TOKEN_AUDIENCE = 'gatehouse-api';
/** RFC 9068 2.1: distinguishes access tokens from all other JWTs of the product. */
export const ACCESS_TOKEN_TYPE = 'at+jwt';
export const API_KEY_PREFIX = 'ghk_';
export const AGENT_TOKEN_PREFIX = 'gha_';
/** Marks the token of a visit of a set-up link. */
export const SETUP_VISIT_PREFIX = 'ghv_';
