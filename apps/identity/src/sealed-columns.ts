import type { SealedColumn } from '@gatehouse/database';
import { mailContext } from './mail/mailer.ts';
import { factorContext } from './factors/second-factors.ts';
import { samlResultContext } from './saml-login/saml-results.repository.ts';
import { successorContext } from './sessions/refresh-token.ts';
import { linkContext } from './sso-login/accounts/identity-links.repository.ts';
import { parkedLinkContext } from './sso-login/accounts/parked-links.repository.ts';
import { clientSecretContext } from './sso-providers/store/sso-provider.entity.ts';
import { signingKeyContext } from './tokens/signing-keys.ts';

const LINK = { table: 'sso_identity_links', boundTo: ['provider_id', 'user_id'] };

export const identitySealedColumns: readonly SealedColumn[] = [
  { table: 'signing_keys', column: 'private_sealed', boundTo: ['kid'], context: signingKeyContext },
  { table: 'mfa_factors', column: 'secret_sealed', boundTo: ['id'], context: factorContext },
  { table: 'sso_providers', column: 'client_secret_sealed', boundTo: ['id'], context: clientSecretContext },
  { ...LINK, column: 'profile_sealed', context: linkContext('profile') },
  { ...LINK, column: 'access_token_sealed', context: linkContext('access_token') },
  { ...LINK, column: 'refresh_token_sealed', context: linkContext('refresh_token') },
  { table: 'sso_saml_results', column: 'identity_sealed', boundTo: ['handle_hash'], context: samlResultContext },
  { table: 'sso_parked_links', column: 'identity_sealed', boundTo: ['token_hash'], context: parkedLinkContext },
  { table: 'refresh_tokens', column: 'successor_sealed', boundTo: ['token_hash'], context: successorContext },
  { table: 'mail_outbox', column: 'mail_sealed', boundTo: ['id'], context: mailContext },
];
