import {
  API_PREFIX,
  asService,
  type AuditAction,
  type AuditRecord,
  BRANDING_BODY_LIMIT_BYTES,
  ProblemError,
  SAML_FORM_BODY_LIMIT_BYTES,
} from '@gatehouse/contracts-core';
import type { GuardedRequest } from '@gatehouse/auth';
import type { Platform, ServiceDefinition } from '@gatehouse/service';
import { usableUntil } from './providers/configuration/certificates/certificate-keys.ts';
import { readCertificates } from './providers/configuration/certificates/saml-certificates.ts';
import {
  activeSamlCertificates,
  type StoredCertificates,
} from './providers/configuration/store/sso-providers.repository.ts';
import formbody from '@fastify/formbody';
import { ATTEMPT_CODES, SIGN_IN_MEANS } from '@gatehouse/contracts-identity';
import type { SealedColumn } from '@gatehouse/database';
import type { FastifyInstance } from 'fastify';
import { parse } from 'node:querystring';
import { AppModule } from './app.module.ts';
import { identityDatabase } from './database.ts';
import { factorContext } from './people/second-factors.ts';
import { IdentityConfig } from './identity.config.ts';
import { mailContext } from './mail/mailer.ts';
import { traceContext } from './providers/attempt-log/attempts.service.ts';
import { samlResultContext } from './sso/saml/saml-results.repository.ts';
import { successorContext } from './sessions/open-session.ts';
import { linkContext } from './sso/login/accounts/identity-links.repository.ts';
import { parkedLinkContext } from './sso/login/accounts/parked-links.repository.ts';
import { clientSecretContext, encryptionKeysContext } from './providers/configuration/store/sso-provider.entity.ts';
import { JWKS_PATHS } from './sessions/tokens/jwks.controller.ts';
import { signingKeyContext } from './sessions/tokens/signing-keys.ts';

const SELF = asService('identity');
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * A provider works until the later of its certificates expires. Stored certificates were validated, so they can be
 * parsed.
 */
function daysLeft({ certificate, weakKeysUntil }: StoredCertificates): number {
  const ends = readCertificates(certificate).map((one) => usableUntil(one, weakKeysUntil));
  return (Math.max(...ends) - Date.now()) / DAY_MS;
}

/** Measures how soon the first provider's certificates expire, after which its users cannot sign in. */
function measureCertificates({ metrics, store }: Platform): void {
  const days = metrics.gauge(
    'gatehouse_saml_certificate_days',
    'Days until the first active SAML provider has no valid certificate; absent without one',
  );
  metrics.atScrape([days], async () => {
    const rows = (await store?.work.backgroundRead(SELF, activeSamlCertificates)) ?? [];
    return rows.length > 0 ? [{ of: days, value: Math.min(...rows.map(daysLeft)) }] : [];
  });
}

type SignIn = { readonly method: string; readonly result: 'success' | 'failure' };

const opened = ({ via }: AuditRecord['details']): SignIn => ({ method: String(via), result: 'success' });
const failed = ({ reason }: AuditRecord['details']): SignIn => ({
  method: reason === 'wrong_second_factor' ? 'second_factor' : 'password',
  result: 'failure',
});

const SIGN_INS: Partial<Record<AuditAction, (details: AuditRecord['details']) => SignIn>> = {
  'user.login': opened,
  'user.break_glass.login': () => ({ method: 'break_glass', result: 'success' }),
  'user.login_failed': failed,
  'sso.login.success': () => ({ method: 'sso', result: 'success' }),
  'sso.login.rejected': () => ({ method: 'sso', result: 'failure' }),
};

/** Counts sign-ins when they are committed, with the method and result from their audit entries. */
function measureSignIns({ metrics, store }: Platform): void {
  const signIns = metrics.counter('gatehouse_sign_ins_total', 'Sign-ins by method and result', {
    method: [...SIGN_IN_MEANS, 'second_factor', 'break_glass', 'membership_switch'],
    result: ['success', 'failure'],
  });
  const refusals = metrics.counter('gatehouse_sso_refusals_total', 'Refused sign-ins through providers by code', {
    code: ATTEMPT_CODES,
  });
  store?.work.onCommit((facts) => {
    for (const { subject, envelope } of facts) {
      if (!subject.startsWith('audit.')) continue;
      const { action, details } = envelope.data as AuditRecord;
      const signIn = SIGN_INS[action]?.(details);
      if (signIn) signIns.inc({ ...signIn });
      if (action === 'sso.login.rejected') refusals.inc({ code: String(details['code']) });
    }
  });
}

const LINK = { table: 'sso_identity_links', boundTo: ['provider_id', 'user_id'] };

const identitySealedColumns: readonly SealedColumn[] = [
  { table: 'signing_keys', column: 'private_sealed', boundTo: ['kid'], context: signingKeyContext },
  { table: 'mfa_factors', column: 'secret_sealed', boundTo: ['id'], context: factorContext },
  { table: 'sso_providers', column: 'client_secret_sealed', boundTo: ['id'], context: clientSecretContext },
  { table: 'sso_providers', column: 'encryption_keys_sealed', boundTo: ['id'], context: encryptionKeysContext },
  { ...LINK, column: 'profile_sealed', context: linkContext('profile') },
  { ...LINK, column: 'access_token_sealed', context: linkContext('access_token') },
  { ...LINK, column: 'refresh_token_sealed', context: linkContext('refresh_token') },
  { table: 'sso_saml_results', column: 'identity_sealed', boundTo: ['handle_hash'], context: samlResultContext },
  { table: 'sso_attempts', column: 'trace_sealed', boundTo: ['id'], context: traceContext },
  { table: 'sso_parked_links', column: 'identity_sealed', boundTo: ['token_hash'], context: parkedLinkContext },
  { table: 'refresh_tokens', column: 'successor_sealed', boundTo: ['token_hash'], context: successorContext },
  { table: 'mail_outbox', column: 'mail_sealed', boundTo: ['id'], context: mailContext },
];

const ACS = `${API_PREFIX}/sso/saml/acs`;
const FORM = /^application\/x-www-form-urlencoded\b/i;
const BODY_LIMITS: Readonly<Record<string, number>> = {
  [`${API_PREFIX}/partners/me/login-branding`]: BRANDING_BODY_LIMIT_BYTES,
  [ACS]: SAML_FORM_BODY_LIMIT_BYTES,
};
/** SAML uses two form fields; if a provider adds more than this limit, the rest of the form is not read. */
const MAX_FORM_FIELDS = 20;
const SSO_PATHS = `${API_PREFIX}/sso/`;

/**
 * Accepts form bodies only on the route that SAML providers post to, and larger bodies there and for a branding logo.
 * Refuses HEAD on the SSO routes, where a GET uses up a one-time value: link scanners and previews send HEAD.
 */
async function configureHttp(server: FastifyInstance): Promise<void> {
  server.addHook('onRoute', (route) => {
    const limit = BODY_LIMITS[route.url];
    if (limit) route.bodyLimit = limit;
  });
  server.addHook('onRequest', async (request: GuardedRequest) => {
    const { method, url, headers, routeOptions } = request;
    if (method === 'HEAD' && url.startsWith(SSO_PATHS))
      throw new ProblemError('route_not_found', 'There is nothing at this address.');
    if (FORM.test(headers['content-type'] ?? '') && routeOptions.url !== ACS)
      request.fault = new ProblemError('unsupported_media_type', 'This route accepts JSON.');
  });
  await server.register(formbody, { parser: (form) => parse(form, '&', '=', { maxKeys: MAX_FORM_FIELDS }) });
}

export const identityService: ServiceDefinition<IdentityConfig> = {
  name: 'identity',
  config: IdentityConfig,
  module: AppModule,
  database: { definition: identityDatabase, url: (config) => config.databaseUrlIdentity },
  places: {
    organization: { table: 'org_ref', key: 'org_id' },
    role: { table: 'roles' },
    api_key: { table: 'api_keys' },
    sso_provider: { table: 'sso_providers' },
    sso_metadata_change: { table: 'sso_metadata_changes' },
    sso_domain: { table: 'sso_domains' },
    sso_setup_link: { table: 'sso_setup_links' },
  },
  sealed: identitySealedColumns,
  unprefixed: JWKS_PATHS,
  configureHttp,
  measure: (platform) => {
    measureSignIns(platform);
    measureCertificates(platform);
  },
};
