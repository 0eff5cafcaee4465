import { inflateRawSync } from 'node:zlib';
import { DOMParser } from '@xmldom/xmldom';

export interface AuthnRequest {
  readonly id: string;
  readonly issuer: string;
  readonly acsUrl: string;
  readonly nameIdFormat?: string;
  readonly forceAuthn: boolean;
}

const LARGEST_REQUEST = 65_536;

/** Reads a SAMLRequest of the HTTP-Redirect binding (SAML bindings 3.4.4.1). Its signature, if any, is not checked. */
export function readAuthnRequest(samlRequest: string): AuthnRequest {
  const xml = inflateRawSync(Buffer.from(samlRequest, 'base64'), { maxOutputLength: LARGEST_REQUEST }).toString('utf8');
  const document = new DOMParser().parseFromString(xml, 'text/xml');
  const root = document.documentElement;
  const child = (name: string) => root.getElementsByTagNameNS('*', name)[0];
  if (root.localName !== 'AuthnRequest') throw new Error('not an AuthnRequest');
  return {
    id: root.getAttribute('ID') ?? '',
    issuer: child('Issuer')?.textContent?.trim() ?? '',
    acsUrl: root.getAttribute('AssertionConsumerServiceURL') ?? '',
    nameIdFormat: child('NameIDPolicy')?.getAttribute('Format') || undefined,
    forceAuthn: root.getAttribute('ForceAuthn') === 'true',
  };
}
