export const SSO_PROTOCOLS = ['oidc', 'saml'] as const;
export type SsoProtocol = (typeof SSO_PROTOCOLS)[number];

export const PROVIDER_STATUSES = ['inactive', 'testing', 'active'] as const;
export type ProviderStatus = (typeof PROVIDER_STATUSES)[number];

export const OWNER_SCOPES = ['organization', 'partner'] as const;
export type OwnerScope = (typeof OWNER_SCOPES)[number];

/** The reasons why a sign-in through an identity provider ended at the login page (SSO-50; the others by decision). */
export const LOGIN_ERRORS = [
  'session_expired',
  'domain_not_allowed',
  'user_not_found',
  'default_role_required',
  'no_org_access',
  'sso_error',
  'email_unverified',
  'identity_conflict',
  'provider_changed',
  'invite_required',
  'no_partner_access',
  'link_required',
] as const;
export type LoginError = (typeof LOGIN_ERRORS)[number];

/** The reasons why a signed-in user's identity was not linked; `sso_error` and `session_expired` as at sign-in. */
export const LINK_ERRORS = [
  'email_mismatch',
  'identity_in_use',
  'user_gone',
  'email_unverified',
  'domain_not_allowed',
  'provider_changed',
  'session_expired',
  'sso_error',
] as const;
export type LinkError = (typeof LINK_ERRORS)[number];
