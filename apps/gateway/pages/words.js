/** A sentence for each error code with which the sign-in page is opened (SSO-50). */
const WORDS = {
  session_ended: 'Your session has ended. Sign in again.',
  session_expired: 'This sign-in took too long or was started in another browser. Try again.',
  domain_not_allowed: 'Your e-mail domain is not allowed to sign in with this identity provider.',
  user_not_found: 'You have no account here. Ask your administrator for an invitation.',
  default_role_required: 'Accounts cannot be created at the moment. Ask your administrator to check the default role.',
  no_org_access: 'Your account does not belong to this organisation.',
  no_partner_access: 'Your account does not belong to this partner.',
  invite_required: 'You need an invitation first. Ask your administrator for one.',
  email_unverified: 'Your identity provider has not verified your e-mail address.',
  identity_conflict: 'Another identity is already linked to your account. Contact your administrator.',
  provider_changed: 'The identity provider was changed while you signed in. Try again.',
  link_required: 'An account with your e-mail address already exists.',
  email_mismatch: 'The e-mail address of that identity differs from your account’s.',
  identity_in_use: 'That identity is linked to another account.',
  user_gone: 'Your account is no longer active.',
  sso_error:
    'Your identity provider could not sign you in. Try again. If this happens again, contact your administrator.',
  invalid_credentials: 'Invalid email or password.',
  mfa_code_invalid: 'That code is not correct. Codes change every 30 seconds.',
  mfa_token_invalid: 'This sign-in took too long. Start again.',
  invitation_invalid: 'This invitation is no longer valid. Ask for a new one.',
  rate_limited: 'Too many attempts. Wait a few minutes, then try again.',
  origin_denied: 'This page was not opened at Gatehouse’s own address. Ask your administrator for the address.',
  exchange_code_invalid: 'This sign-in has already been used or has expired. Try again.',
};

const REFERENCE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Shows beneath a message the reference of a failed sign-in, which support looks up (IDY-183). */
export function showReference(notice, reference) {
  if (!REFERENCE.test(reference ?? '')) return;
  const line = document.createElement('p');
  line.textContent = `Reference for support: ${reference}`;
  notice.append(line);
}

export const wordsFor = (code, fallback) => (Object.hasOwn(WORDS, code) ? WORDS[code] : (fallback ?? WORDS.sso_error));
