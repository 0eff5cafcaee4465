import {
  AGENT_REPORT_BODY_LIMIT_BYTES,
  API_PREFIX,
  BRANDING_BODY_LIMIT_BYTES,
  IMPORT_BODY_LIMIT_BYTES,
  ORGANIZATION_ORDER_BODY_LIMIT_BYTES,
  RULE_CHANGES_BODY_LIMIT_BYTES,
  SAML_FORM_BODY_LIMIT_BYTES,
  UPSTREAM_NAMES,
  type UpstreamName,
} from '@gatehouse/contracts-core';

/**
 * `user`: an optional access token or API key; `agent` and `setup`: the token of a device, or of a visit of a set-up
 * link, which the service verifies; `none`: a route for use before sign-in, where a stale credential is ignored.
 */
export type CredentialKind = 'user' | 'agent' | 'setup' | 'none';

export interface Route {
  /** Matches this path and all paths below it; `:name` stands for one segment. The most specific row wins. */
  readonly path: string;
  readonly upstream: UpstreamName;
  readonly credential: CredentialKind;
  readonly bodyLimit?: number;
  /** The service may delay its response until there is something to report (long polling). */
  readonly waits?: true;
  /** Forwards cookies in both directions. */
  readonly cookies?: true;
}

const open = (...paths: string[]): Route[] => paths.map((path) => ({ path, upstream: 'identity', credential: 'none' }));
const withCookies = (routes: readonly Route[]): Route[] => routes.map((route) => ({ ...route, cookies: true }));
const signedIn = (upstream: UpstreamName, ...paths: string[]): Route[] =>
  paths.map((path) => ({ path, upstream, credential: 'user' }));
const large = (bodyLimit: number, upstream: UpstreamName, ...paths: string[]): Route[] =>
  signedIn(upstream, ...paths).map((route) => ({ ...route, bodyLimit }));

const API_ROUTES: readonly Route[] = [
  ...open('/auth/login-context', '/auth/sso-discovery', '/auth/forgot-password', '/auth/reset-password'),
  ...open('/auth/invitation', '/sso/check', '/.well-known/jwks.json'),
  // The routes that set, read or clear the session cookie.
  ...withCookies(
    open(
      '/auth/login',
      '/auth/refresh',
      '/auth/accept-invite',
      '/auth/mfa/verify',
      '/auth/mfa/webauthn/sign-in/verify',
      '/sso/exchange',
      '/sso/link/confirm',
    ),
  ),
  ...withCookies(
    signedIn(
      'identity',
      '/auth/logout',
      '/auth/logout-all',
      '/auth/membership',
      '/auth/mfa/step-up',
      '/auth/mfa/totp/confirm',
      '/auth/mfa/webauthn/register/verify',
      '/auth/mfa/webauthn/step-up/verify',
    ),
  ),
  ...open('/auth/mfa/webauthn/sign-in'),
  ...withCookies(open('/sso/login', '/sso/callback', '/sso/saml')),
  {
    path: '/sso/saml/acs',
    upstream: 'identity',
    credential: 'none',
    cookies: true,
    bodyLimit: SAML_FORM_BODY_LIMIT_BYTES,
  },
  ...withCookies(signedIn('identity', '/sso/link/start', '/sso/providers/:id/test-sign-ins')),
  ...open('/sso/setup/visits'),
  // Its cookie binds a test sign-in to the browser.
  { path: '/sso/setup', upstream: 'identity', credential: 'setup', cookies: true },
  ...signedIn('identity', '/auth', '/sso', '/users', '/roles', '/api-keys'),
  ...large(BRANDING_BODY_LIMIT_BYTES, 'identity', '/partners/me/login-branding'),

  ...signedIn('tenancy', '/orgs', '/devices', '/device-groups', '/enrollment-keys', '/custom-fields'),
  ...signedIn('tenancy', '/configuration-policies'),
  ...large(
    IMPORT_BODY_LIMIT_BYTES,
    'tenancy',
    '/custom-fields/import',
    '/devices/custom-fields/import',
    '/orgs/contacts/import',
    '/scripts',
  ),
  ...large(ORGANIZATION_ORDER_BODY_LIMIT_BYTES, 'tenancy', '/orgs/organizations/order'),
  { path: '/agents/enroll', upstream: 'tenancy', credential: 'agent' },
  { path: '/agents/:id/config', upstream: 'tenancy', credential: 'agent' },
  { path: '/agents/:id/inventory', upstream: 'tenancy', credential: 'agent' },
  { path: '/agents/:id/token', upstream: 'tenancy', credential: 'agent' },

  ...signedIn('pam', '/pam', '/approvals', '/devices/:id/actuate-elevation'),
  ...large(RULE_CHANGES_BODY_LIMIT_BYTES, 'pam', '/pam/replays', '/pam/signer-groups', '/pam/software-policies'),
  {
    path: '/agents/:id/elevation-requests',
    upstream: 'pam-ingest',
    credential: 'agent',
    bodyLimit: AGENT_REPORT_BODY_LIMIT_BYTES,
  },
  { path: '/agents/:id/rules', upstream: 'pam-ingest', credential: 'agent' },
  { path: '/agents/:id/commands', upstream: 'pam-ingest', credential: 'agent', waits: true },

  ...signedIn('identity', '/services'),
  ...UPSTREAM_NAMES.flatMap((service) => signedIn(service, `/services/${service}`)),
  ...signedIn('audit', '/audit-logs'),
  // The token in the address is the credential.
  { path: '/audit-logs/exports/file', upstream: 'audit', credential: 'none' },
  ...signedIn('notifier', '/push-subscriptions', '/events/stream'),
];

/** The only list of public addresses (architecture, "Services"); an address that is not below a row is 404. */
export const ROUTES: readonly Route[] = [
  ...API_ROUTES.map((route) => ({ ...route, path: `${API_PREFIX}${route.path}` })),
  { path: '/.well-known/jwks.json', upstream: 'identity', credential: 'none' },
];
