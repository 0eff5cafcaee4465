/** Values that several services must share. In seconds unless the name states another unit. */
export const MFA_FRESHNESS_SECONDS = 12 * 60 * 60;
export const ACCESS_TOKEN_SECONDS = 15 * 60;
export const DEFAULT_BODY_LIMIT_BYTES = 100 * 1024;
export const AGENT_REPORT_BODY_LIMIT_BYTES = 32 * 1024;
export const CONTACT_IMPORT_BODY_LIMIT_BYTES = 8 * 1024 * 1024;
export const BRANDING_BODY_LIMIT_BYTES = 512 * 1024;
/** The ids of 10 000 organisations. */
export const ORGANIZATION_ORDER_BODY_LIMIT_BYTES = 512 * 1024;
/** A user in thousands of groups has a long SAML response. */
export const SAML_FORM_BODY_LIMIT_BYTES = 512 * 1024;
/** 200 changes of rules with long texts, or the order of 5000 rules. */
export const RULE_CHANGES_BODY_LIMIT_BYTES = 2 * 1024 * 1024;
export const API_PREFIX = '/api/v1';
