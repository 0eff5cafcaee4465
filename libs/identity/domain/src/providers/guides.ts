/**
 * How an administrator sets each provider up, in the words of its own pages. `{callback_url}`, `{acs_url}`, `{entity_id}`
 * and `{metadata_url}` stand for our addresses; docs/identity-providers.md is made from this table.
 */
export const GUIDES: Readonly<Record<string, readonly string[]>> = {
  'azure-ad': [
    'In the Microsoft Entra admin center open Applications > App registrations and choose New registration.',
    'Enter a name, keep "Accounts in this organizational directory only", choose the platform Web and enter the redirect URI {callback_url}.',
    'Copy the Directory (tenant) ID and the Application (client) ID from the overview.',
    'Under Certificates & secrets choose New client secret. Copy its Value, not its Secret ID, and note when it expires.',
    'Under Token configuration choose Add optional claim > ID, and add email and xms_edov. With xms_edov, people whose address belongs to your tenant need not prove it again.',
    'Optional: to accept the second factor of Entra, create an authentication context such as c1 under Protection > Conditional Access, require multifactor authentication for it in a policy, and enter c1 as the value of acrs.',
  ],
  okta: [
    'In the Okta Admin Console open Applications > Applications and choose Create App Integration.',
    'Choose OIDC - OpenID Connect and Web Application.',
    'Keep the grant type Authorization Code and enter the sign-in redirect URI {callback_url}.',
    'Choose under Assignments who may use the application, and save.',
    'Copy Client ID and Client secret from the tab General. The domain is the part before .okta.com of your address.',
    'For groups, set a Groups claim filter named groups on the tab Sign On, under OpenID Connect ID Token.',
  ],
  auth0: [
    'In the Auth0 dashboard open Applications > Applications and choose Create Application > Regular Web Applications.',
    'On the tab Settings enter {callback_url} under Allowed Callback URLs and save.',
    'Copy Client ID and Client Secret. The domain is the part of Domain before .auth0.com.',
  ],
  google: [
    'In the Google Cloud console open APIs & Services > OAuth consent screen and choose the user type Internal.',
    'Open Credentials and choose Create credentials > OAuth client ID > Web application.',
    'Enter {callback_url} under Authorized redirect URIs and create the client.',
    'Copy the client ID and the client secret.',
    'Enter the mail domains of your organisation as allowed domains of this provider.',
  ],
  'azure-ad-saml': [
    'In the Microsoft Entra admin center open Enterprise applications and choose New application > Create your own application, then the option that is not in the gallery.',
    'Open Single sign-on > SAML. Under Basic SAML Configuration enter the identifier {entity_id} and the reply URL {acs_url}.',
    'Copy the App Federation Metadata Url from the section SAML Certificates.',
    'Under Users and groups assign the people who may sign in.',
    'Optional: Entra states the second factor in authnmethodsreferences by itself; let a Conditional Access policy require it.',
    'Leave Token encryption off: Entra encrypts with CBC, which this product refuses.',
  ],
  'okta-saml': [
    'In the Okta Admin Console open Applications > Applications and choose Create App Integration > SAML 2.0.',
    'Enter the single sign-on URL {acs_url} and the audience URI (SP Entity ID) {entity_id}. Choose the Name ID format EmailAddress and the application username Email.',
    'Add attribute statements: email = user.email, displayName = user.displayName, firstName = user.firstName, lastName = user.lastName; and a group attribute statement groups, if you need groups.',
    'Copy the Metadata URL from the tab Sign On.',
    'Choose under Assignments who may use the application.',
    'Optional: to encrypt assertions, make a key on the page of this provider here. In Okta choose Assertion Encryption: Encrypted, AES256-GCM and RSA-OAEP, and upload the certificate.',
  ],
  'onelogin-saml': [
    'In OneLogin open Applications and choose Add App > SAML Custom Connector (Advanced).',
    'On the tab Configuration enter the audience {entity_id}, the ACS URL {acs_url} and the same address as ACS URL Validator.',
    'On the tab Parameters add User.email, User.displayName, User.FirstName and User.LastName, each with Include in SAML assertion.',
    'On the tab SSO copy the Issuer URL, the SAML 2.0 Endpoint (HTTP) and the X.509 certificate.',
    'On the tab Access choose the roles that may use the application.',
  ],
  'adfs-saml': [
    'In AD FS Management choose Relying Party Trusts > Add Relying Party Trust > Claims aware.',
    'Choose to import the data from {metadata_url}, or enter the identifier {entity_id} and the SAML 2.0 address {acs_url}.',
    'Choose an access control policy and finish.',
    'Choose Edit Claim Issuance Policy and add Send LDAP Attributes as Claims: E-Mail-Addresses to E-Mail Address, Display-Name to Name, Given-Name to Given Name, Surname to Surname.',
    'Add Transform an Incoming Claim: E-Mail Address to Name ID, in the format Email.',
    'Leave the tab Encryption of the trust empty: AD FS encrypts with CBC, which this product refuses.',
    'Optional: to accept the second factor of AD FS, add Pass Through or Filter an Incoming Claim for Authentication Methods References.',
  ],
  'google-saml': [
    'In the Google Admin console open Apps > Web and mobile apps and choose Add app > Add custom SAML app.',
    'Copy the SSO URL, the Entity ID and the certificate.',
    'Enter the ACS URL {acs_url} and the Entity ID {entity_id}. Choose the Name ID format EMAIL and the Name ID Primary email.',
    'Map Primary email to email, First name to firstName and Last name to lastName.',
    'Open User access and switch the application on for the people who may sign in.',
  ],
  keycloak: [
    'In the admin console of Keycloak choose the realm, then Clients > Create client with the type OpenID Connect.',
    'Switch Client authentication on and leave only Standard flow selected.',
    'Enter {callback_url} under Valid redirect URIs and save.',
    'Copy the client ID, and the client secret from the tab Credentials. The issuer is https://HOST/realms/REALM.',
    'For groups, add the mapper Group Membership with the token claim name groups to the dedicated client scope, without Full group path.',
    'Optional: to accept the second factor of Keycloak, map a level to it under Realm settings > ACR to LoA Mapping, and enter that name as the value of acr.',
  ],
};
