import { codeOf, problemOf, wordsFor } from '../../api/problem.ts';

/** The setting that a refusal is about. */
const FIELDS: Readonly<Record<string, string>> = {
  oidc_discovery_failed: 'issuer',
  saml_configuration_invalid: 'certificate',
  saml_metadata_invalid: 'metadata',
  saml_metadata_unreachable: 'metadata',
  role_not_grantable: 'defaultRoleId',
};
/** Codes whose `detail` names the fault for people: what the provider answered, which key is too weak. */
const DETAILED = /^(oidc_discovery_failed|saml_\w+|domain_not_verified)$/;

/** The fault in words, as exactly as the server names it. */
export function faultOf(error: unknown): string {
  const detail = problemOf(error)?.detail;
  return detail && DETAILED.test(codeOf(error)) ? detail : wordsFor(error);
}

/** The fault at the field that it is about, if there is one. */
export function faultAt(error: unknown): Readonly<Record<string, string>> {
  const field = FIELDS[codeOf(error)];
  return field ? { [field]: faultOf(error) } : {};
}

/** The settings that a test or a switch found missing. */
export function missingIn(error: unknown): readonly string[] {
  const missing = problemOf(error)?.['missing'];
  return Array.isArray(missing) ? missing.map(String) : [];
}
