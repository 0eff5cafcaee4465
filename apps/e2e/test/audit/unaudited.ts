/**
 * Routes that change something, or whose method could, and that leave no entry when they succeed, each with the reason.
 */
export const UNAUDITED: Readonly<Record<string, string>> = {
  'POST /auth/refresh':
    'goes on with a session whose beginning is recorded; a token that is used twice is recorded as session.revoke',
  'POST /auth/mfa/totp/enroll': 'offers a secret that is worth nothing until it is confirmed, which is recorded',
  'POST /auth/mfa/webauthn/register/options': 'offers a challenge; the registration is recorded',
  'POST /auth/mfa/webauthn/sign-in/options': 'offers a challenge; the sign-in is recorded',
  'POST /auth/mfa/webauthn/step-up/options': 'offers a challenge; the proof is recorded',
  'POST /auth/sso-discovery': 'answers a question',
  'POST /auth/invitation': 'answers a question',
  'POST /sso/exchange': 'hands out the tokens of a sign-in that is recorded',
  'POST /sso/saml/acs': "keeps a verified response for the person's own visit, which is recorded",
  'POST /sso/link/start/{providerId}': 'begins a round trip; the link is recorded when the person comes back',
  'POST /sso/providers/{id}/test-sign-ins': 'begins a round trip; the test is recorded when the person comes back',
  'POST /push-subscriptions/{id}/test': 'sends its caller a message; the subscription is recorded',
  'POST /sso/providers/metadata': 'answers a question',
  'POST /sso/setup/metadata': 'answers a question',
  'POST /sso/setup/test-sign-ins': 'begins a round trip; the test is recorded when the person comes back',
  'POST /pam/rules/preview': 'answers a question',
  'POST /pam/rules/simulate': 'answers a question',
  'POST /pam/replays/{id}/cancel': 'ends the answer to a question',
  'POST /pam/decisions/explain': 'answers a question',
  'POST /orgs/contacts/import/preview': 'answers a question',
  'POST /custom-fields/import/preview': 'answers a question',
  'POST /devices/custom-fields/import/preview': 'answers a question',
  'POST /orgs/organizations/{id}/merge-preview': 'answers a question',
};

/** Routes whose success leaves several entries, each with the reason. */
export const SEVERAL: Readonly<Record<string, string>> = {
  'POST /auth/membership': 'ends a session in one tenant and opens one in another, and each keeps its own log',
  'POST /auth/accept-invite': 'the invitation is accepted and the person signed in',
  'POST /sso/metadata-changes/{id}/apply': 'the change is settled and the provider updated',
  'POST /sso/setup/complete': 'the link ends, and its visitor may switch the provider on',
  'POST /sso/link/confirm': 'the identity is linked and the person signed in',
};
