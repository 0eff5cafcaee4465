import { escapeMarkup as escape, page } from '../sign-in-page.ts';
import { EMAIL_NAME_ID } from './build-response.ts';
import { pemBody } from './saml-key.ts';

/** The HTTP-POST binding: a form that posts itself, with a button for browsers without scripts. */
export function postingPage(acsUrl: string, samlResponse: string, relayState: string | null): string {
  const relay = relayState === null ? '' : `<input type="hidden" name="RelayState" value="${escape(relayState)}">`;
  return page(
    'Signing in',
    `<form method="post" action="${escape(acsUrl)}">
<input type="hidden" name="SAMLResponse" value="${samlResponse}">${relay}
<button type="submit">Continue</button></form>
<script>document.forms[0].submit()</script>`,
  );
}

export function metadata(entityId: string, ssoUrl: string, certificates: readonly string[]): string {
  const keys = certificates.map(
    (pem) =>
      '<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data>' +
      `<ds:X509Certificate>${pemBody(pem)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
  );
  return (
    '<?xml version="1.0"?><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata"' +
    ` xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${escape(entityId)}">` +
    `<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${keys.join('')}` +
    `<md:NameIDFormat>${EMAIL_NAME_ID}</md:NameIDFormat>` +
    `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${escape(ssoUrl)}"/>` +
    '</md:IDPSSODescriptor></md:EntityDescriptor>'
  );
}
