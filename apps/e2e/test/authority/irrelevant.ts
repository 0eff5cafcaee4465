const VISITOR =
  'acts in the authority of the author of the link, read anew at each call; the routes of people are attempted';

/** Routes that the test does not attempt, each with the reason why it cannot give a caller a permission or a reach. */
export const IRRELEVANT: Readonly<Record<string, string>> = {
  'POST /auth/logout': 'ends the session that calls it',
  'POST /auth/logout-all': 'ends the sessions of the person who calls it',
  'DELETE /auth/sessions/{id}': 'ends a session of the person who calls it',
  'POST /auth/sso-discovery': 'answers a question',
  'POST /auth/invitation': 'answers a question',
  'POST /sso/saml/acs':
    'verifies what a SAML provider signed; about accounts it decides as the OpenID sign-in does, which is attempted',
  'POST /audit-logs/exports': 'makes the address of a file that holds what its author may read',
  'PUT /api-keys/policy': 'bounds the lives of keys, which are never wider than their owner',
  'POST /sso/providers/metadata': 'answers a question',
  'POST /sso/providers/{id}/encryption-key': 'makes a key of ours, for what a trusted provider says',
  'POST /sso/providers/{id}/metadata/refresh': 'reads what a trusted provider publishes, as the regular check does',
  'POST /sso/metadata-changes/{id}/apply': 'needs what a change of the provider itself needs, which is attempted',
  'POST /sso/metadata-changes/{id}/dismiss': 'takes trust away, or returns to what was trusted before',
  'PUT /sso/settings': 'decides what a mail to administrators holds',
  'POST /pam/rules/preview': 'answers a question',
  'POST /pam/rules/simulate': 'answers a question',
  'POST /pam/decisions/explain': 'answers a question',
  'POST /orgs/contacts/import/preview': 'answers a question; the import is attempted',
  'POST /custom-fields/import/preview': 'answers a question; the import is attempted',
  'POST /devices/custom-fields/import/preview': 'answers a question; the import is attempted',
  'POST /orgs/organizations/{id}/merge-preview': 'answers a question; the merge is attempted',
  'POST /sso/setup/visits': 'opens a visit, which acts in the authority of the author of its link',
  'PUT /sso/setup/provider': VISITOR,
  'POST /sso/setup/metadata': 'answers a question',
  'POST /sso/setup/domains': VISITOR,
  'POST /sso/setup/domains/{id}/verify': VISITOR,
  'POST /sso/setup/test-sign-ins': VISITOR,
  'POST /sso/setup/complete': VISITOR,
  'POST /agents/{id}/token/rotate': 'is for agents, which hold no permission and belong to one device',
  'PUT /agents/{id}/inventory': 'is for agents, which hold no permission and belong to one device',
  'POST /agents/{id}/elevation-requests': 'is for agents, which hold no permission and belong to one device',
  'POST /agents/{id}/elevation-requests/{requestId}/justification':
    'is for agents, which hold no permission and belong to one device',
  'POST /agents/{id}/commands/{commandId}/result': 'is for agents, which hold no permission and belong to one device',
};

/**
 * Addresses that a browser is redirected to and that change something: the round trip through the provider requests
 * them.
 */
export const BY_ROUND_TRIP: readonly string[] = [
  'GET /sso/login/{orgId}',
  'GET /sso/login/partner/{partnerId}',
  'GET /sso/callback',
];
