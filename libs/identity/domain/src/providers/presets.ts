import type {
  AttributeMappingDto,
  MfaEvidence,
  PresetRecord,
  ProviderExampleRecord,
} from '@gatehouse/contracts-identity';
import { GUIDES } from './guides.ts';

export const DEFAULT_SCOPES = 'openid profile email';
export const DEFAULT_EVIDENCE: readonly MfaEvidence[] = ['amr'];
export const DEFAULT_MAPPING: AttributeMappingDto = { email: 'email', name: 'name' };

const OIDC_MAPPING: AttributeMappingDto = {
  email: 'email',
  name: 'name',
  firstName: 'given_name',
  lastName: 'family_name',
};
const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const URI_MAPPING: AttributeMappingDto = {
  email: `${CLAIMS}/emailaddress`,
  name: `${CLAIMS}/name`,
  firstName: `${CLAIMS}/givenname`,
  lastName: `${CLAIMS}/surname`,
  groups: 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
};
const PLAIN_MAPPING: AttributeMappingDto = {
  email: 'email',
  name: 'displayName',
  firstName: 'firstName',
  lastName: 'lastName',
  groups: 'groups',
};
const ONELOGIN_MAPPING: AttributeMappingDto = {
  email: 'User.email',
  name: 'User.displayName',
  firstName: 'User.FirstName',
  lastName: 'User.LastName',
  groups: 'memberOf',
};

const PLACEHOLDER = /\{([a-zA-Z-]+)\}/g;
type Draft = Omit<PresetRecord, 'placeholders' | 'steps'>;

const withPlaceholders = (preset: Draft): PresetRecord => ({
  ...preset,
  steps: [...(GUIDES[preset.id] ?? [])],
  placeholders: [...(preset.issuerTemplate ?? preset.ssoUrlTemplate ?? '').matchAll(PLACEHOLDER)].map(
    ([, name]) => name ?? '',
  ),
});

const REGISTER_OIDC =
  'Register a web application with the callback address {base_url}/api/v1/sso/callback, then enter its client id and secret.';
const REGISTER_SAML =
  'Create a SAML application from {base_url}/api/v1/sso/saml/metadata, then enter its entity id, sign-on address and signing certificate.';

const oidc = (id: string, name: string, issuerTemplate: string, more: Partial<Draft> = {}): Draft => ({
  id,
  name,
  type: 'oidc',
  issuerTemplate,
  scopes: DEFAULT_SCOPES,
  attributeMapping: OIDC_MAPPING,
  mfaEvidence: [...DEFAULT_EVIDENCE],
  instructions: REGISTER_OIDC,
  ...more,
});
const saml = (id: string, name: string, ssoUrlTemplate: string, more: Partial<Draft> = {}): Draft => ({
  id,
  name,
  type: 'saml',
  ssoUrlTemplate,
  attributeMapping: URI_MAPPING,
  mfaEvidence: ['authncontext'],
  instructions: REGISTER_SAML,
  ...more,
});

/** SSO-03: four presets for OpenID Connect, five for SAML. */
export const PRESETS: readonly PresetRecord[] = [
  oidc('azure-ad', 'Microsoft Entra ID', 'https://login.microsoftonline.com/{tenant}/v2.0', {
    mfaEvidence: ['amr', 'acrs'],
  }),
  oidc('okta', 'Okta', 'https://{domain}.okta.com', {
    scopes: `${DEFAULT_SCOPES} groups`,
    attributeMapping: { ...OIDC_MAPPING, groups: 'groups' },
  }),
  oidc('auth0', 'Auth0', 'https://{domain}.auth0.com'),
  oidc('google', 'Google Workspace', 'https://accounts.google.com'),
  saml('azure-ad-saml', 'Microsoft Entra ID (SAML)', 'https://login.microsoftonline.com/{tenant}/saml2', {
    mfaEvidence: ['authnmethods'],
    metadataUrlTemplate: 'https://login.microsoftonline.com/{tenant}/federationmetadata/2007-06/federationmetadata.xml',
  }),
  saml('okta-saml', 'Okta (SAML)', 'https://{domain}.okta.com/app/{appId}/sso/saml', {
    attributeMapping: PLAIN_MAPPING,
    metadataUrlTemplate: 'https://{domain}.okta.com/app/{appId}/sso/saml/metadata',
  }),
  saml('onelogin-saml', 'OneLogin (SAML)', 'https://{domain}.onelogin.com/trust/saml2/http-post/sso/{appId}', {
    attributeMapping: ONELOGIN_MAPPING,
  }),
  saml('adfs-saml', 'Active Directory Federation Services', 'https://{adfs-server}/adfs/ls', {
    mfaEvidence: ['authnmethods'],
    metadataUrlTemplate: 'https://{adfs-server}/FederationMetadata/2007-06/FederationMetadata.xml',
  }),
  saml('google-saml', 'Google Workspace (SAML)', 'https://accounts.google.com/o/saml2/idp?idpid={idpId}', {
    attributeMapping: PLAIN_MAPPING,
  }),
].map(withPlaceholders);

/** Providers for which there is no preset. */
export const EXAMPLES: readonly ProviderExampleRecord[] = [
  { name: 'Keycloak', type: 'oidc', steps: [...(GUIDES['keycloak'] ?? [])] },
];

export const presetOf = (id: string | null | undefined): PresetRecord | undefined =>
  PRESETS.find((preset) => preset.id === id);
