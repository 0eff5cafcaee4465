export const ACS_PATH = '/api/v1/sso/saml/acs';
export const METADATA_PATH = '/api/v1/sso/saml/metadata';
export const COMPLETE_PATH = '/api/v1/sso/saml/complete';
