import type {
  MetadataCertificateRecord,
  ProviderWarningRecord,
  SamlMetadataRecord,
} from '@gatehouse/contracts-identity';
import { X509Certificate } from 'node:crypto';
import { type ElementLimits, requireModestXml } from '../saml-login/verification/xml-limits.ts';
import {
  attribute,
  childrenNamed,
  descendants,
  parseXml,
  textOf,
  type XmlElement,
} from '../saml-login/verification/xml.ts';
import { keyFault } from '../sso-providers/certificates/certificate-keys.ts';
import { certificateRecordOf } from '../sso-providers/certificates/saml-certificates.ts';

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const MAX_CHARACTERS = 512 * 1024;
const MAX_ENTITY_ID = 1_024;
const MAX_URL = 500;
const MAX_DETAIL = 1_000;
/** A provider of ours holds this many. */
const MAX_TRUSTED = 2;
/** Providers list every claim that they know, and each key once for each of their roles. */
const LIMITS: ElementLimits = { elementsApartFromValues: 3_000, perName: { X509Certificate: 60, Signature: 2 } };

/** Metadata often has comments, which the walk over its tags does not accept; an unended one stays and is refused. */
function withoutComments(xml: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let start = xml.indexOf('<!--'); start !== -1; start = xml.indexOf('<!--', at)) {
    const end = xml.indexOf('-->', start);
    if (end === -1) break;
    parts.push(xml.slice(at, start));
    at = end + '-->'.length;
  }
  return [...parts, xml.slice(at)].join('').trim();
}

/** @throws Error unless the document describes exactly one identity provider */
function providerIn(root: XmlElement): { readonly entity: XmlElement; readonly role: XmlElement } {
  const entities = root.localName === 'EntityDescriptor' ? [root] : descendants(root, 'EntityDescriptor');
  const providers = entities.flatMap((entity) =>
    childrenNamed(entity, 'IDPSSODescriptor').map((role) => ({ entity, role })),
  );
  const [provider, second] = providers;
  if (!provider || second) throw new Error('it does not describe one identity provider');
  return provider;
}

function ssoUrlOf(role: XmlElement): string {
  const service = childrenNamed(role, 'SingleSignOnService').find((one) => attribute(one, 'Binding') === REDIRECT);
  const url = attribute(service, 'Location') ?? '';
  if (url.length > MAX_URL || !URL.canParse(url)) throw new Error('it names no sign-in address for redirects');
  return url;
}

/** Each signing certificate once; a provider lists it again for other uses. */
function certificatesOf(role: XmlElement): X509Certificate[] {
  const keys = childrenNamed(role, 'KeyDescriptor').filter((key) => attribute(key, 'use') !== 'encryption');
  const texts = keys.flatMap((key) =>
    descendants(key, 'X509Certificate').map((one) => textOf(one).replace(/\s+/g, '')),
  );
  const certificates = [...new Set(texts)].map((text) => new X509Certificate(Buffer.from(text, 'base64')));
  if (certificates.length === 0) throw new Error('it has no signing certificate');
  return certificates;
}

function warningsAbout(certificate: X509Certificate): ProviderWarningRecord[] {
  const fault = keyFault(certificate);
  const isExpired = Date.parse(certificate.validTo) < Date.now();
  const named = (detail: string): string => `The certificate ${certificate.subject} ${detail}`.slice(0, MAX_DETAIL);
  return [
    ...(isExpired ? [{ code: 'saml_certificate_expired', detail: named('has expired.') }] : []),
    ...(fault ? [{ code: 'saml_certificate_weak', detail: named(`has ${fault}, which is refused.`) }] : []),
  ];
}

const recordWithPem = (certificate: X509Certificate): MetadataCertificateRecord => ({
  ...certificateRecordOf(certificate),
  pem: certificate.toString(),
});

/**
 * Reads a provider's metadata. Its signature is not checked: an administrator confirms the result before it is used.
 * @throws Error that says what is wrong with the document
 */
export async function readMetadata(xml: string, withPem = false): Promise<SamlMetadataRecord> {
  const text = withoutComments(xml.replace(/^\uFEFF/, ''));
  if (text.length > MAX_CHARACTERS) throw new Error('it is too large');
  requireModestXml(text, LIMITS);
  const { entity, role } = providerIn(await parseXml(text));
  const entityId = attribute(entity, 'entityID') ?? '';
  if (entityId === '' || entityId.length > MAX_ENTITY_ID) throw new Error('it has no usable entity id');
  const certificates = certificatesOf(role);
  const tooMany = {
    code: 'saml_certificates_many',
    detail: `The provider has ${certificates.length} signing certificates; at most ${MAX_TRUSTED} can be trusted at once.`,
  };
  return {
    entityId,
    ssoUrl: ssoUrlOf(role),
    certificates: certificates.slice(0, 20).map(withPem ? recordWithPem : certificateRecordOf),
    warnings: [
      ...(certificates.length > MAX_TRUSTED ? [tooMany] : []),
      ...certificates.slice(0, 20).flatMap(warningsAbout),
    ],
  };
}
