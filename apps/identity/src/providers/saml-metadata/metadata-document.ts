import type {
  MetadataCertificateRecord,
  ProviderWarningRecord,
  SamlMetadataRecord,
} from '@gatehouse/contracts-identity';
import { X509Certificate } from 'node:crypto';
import { SignedXml } from 'xml-crypto';
import { addAlgorithms, DIGEST_ALGORITHMS, SIGNATURE_ALGORITHMS } from './signature-algorithms.ts';
import { type ElementLimits, requireModestXml } from './xml-limits.ts';
import { childrenNamed, descendants, parseXml, textAttribute, textOf, type XmlElement } from './xml.ts';
import { keyFault } from '../configuration/certificates/certificate-keys.ts';
import { certificateRecordOf } from '../configuration/certificates/saml-certificates.ts';

addAlgorithms();

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const MAX_CHARACTERS = 512 * 1024;
const MAX_URL = 500;
const MAX_DETAIL = 1_000;
/** A provider of ours holds this many. */
const MAX_TRUSTED = 2;
/** A person reads no more of them. */
const MAX_SHOWN = 20;
/** Providers list every claim that they know, and each key once for each of their roles. */
const LIMITS: ElementLimits = {
  elementsApartFromValues: 3_000,
  perName: { X509Certificate: 60, Signature: 2, Reference: 2, Transform: 4 },
};

/** Why metadata cannot be used; an administrator may read it. */
export class MetadataFault extends Error {
  constructor(
    readonly element: string,
    readonly reason: string,
  ) {
    super(`${element}: ${reason}`);
  }
}

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replace(/[&<>]/g, (letter) => ESCAPED[letter] ?? '');
/** What may stand between tags: how it begins and ends, and what the document means by it. */
const BESIDE_TAGS = [
  { start: '<!--', end: '-->', meaning: () => '' },
  { start: '<![CDATA[', end: ']]>', meaning: escaped },
  { start: '<?', end: '?>', meaning: () => '' },
] as const;

/**
 * The document without comments and processing instructions, and with the texts of its CDATA sections: the walk over
 * its tags accepts none of them. An unended one stays and is refused.
 */
function plainXml(xml: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let next = xml.indexOf('<'); next !== -1; next = xml.indexOf('<', Math.max(next + 1, at))) {
    const kind = BESIDE_TAGS.find(({ start }) => xml.startsWith(start, next));
    if (!kind) continue;
    const inside = next + kind.start.length;
    const end = xml.indexOf(kind.end, inside);
    if (end === -1) break;
    parts.push(xml.slice(at, next), kind.meaning(xml.slice(inside, end)));
    at = end + kind.end.length;
  }
  return [...parts, xml.slice(at)].join('').trim();
}

/** The schema demands the namespace and the list of protocols; a role without them is read all the same. */
const isSaml2 = (role: XmlElement): boolean =>
  (role.namespaceURI || METADATA) === METADATA &&
  (textAttribute(role, 'protocolSupportEnumeration') ?? PROTOCOL).split(/\s+/).includes(PROTOCOL);

/** @throws Error unless the document describes exactly one identity provider */
function providerIn(root: XmlElement): { readonly entity: XmlElement; readonly role: XmlElement } {
  const entities = root.localName === 'EntityDescriptor' ? [root] : descendants(root, 'EntityDescriptor');
  const providers = entities.flatMap((entity) =>
    childrenNamed(entity, 'IDPSSODescriptor').map((role) => ({ entity, role })),
  );
  // A provider may describe itself once for each of its protocols.
  const usable = providers.filter(({ role }) => isSaml2(role));
  const [provider, second] = usable.length > 0 ? usable : providers;
  if (!provider) throw new MetadataFault('IDPSSODescriptor', 'the document describes no identity provider');
  if (second) throw new MetadataFault('IDPSSODescriptor', 'the document describes more than one identity provider');
  if (!isSaml2(provider.role))
    throw new MetadataFault('IDPSSODescriptor', `it is not SAML 2.0, with the namespace ${METADATA}`);
  return provider;
}

function ssoUrlOf(role: XmlElement): string {
  const service = childrenNamed(role, 'SingleSignOnService').find((one) => textAttribute(one, 'Binding') === REDIRECT);
  if (!service) throw new MetadataFault('SingleSignOnService', 'there is none for the binding HTTP-Redirect');
  const url = textAttribute(service, 'Location') ?? '';
  if (url.length > MAX_URL || !URL.canParse(url))
    throw new MetadataFault('SingleSignOnService', `its Location is no address of at most ${MAX_URL} characters`);
  return url;
}

const warnIf = (isDoubtful: boolean, code: string, detail: string): ProviderWarningRecord[] =>
  isDoubtful ? [{ code, detail: detail.slice(0, MAX_DETAIL) }] : [];

const ARMOUR = /-----[^-]+-----/;

/** Returns the certificates in one element, which may hold them in PEM; null for each that cannot be read. */
function certificatesIn(element: XmlElement): (X509Certificate | null)[] {
  const texts = textOf(element)
    .split(ARMOUR)
    .map((text) => text.replace(/\s+/g, ''))
    .filter(Boolean);
  return (texts.length > 0 ? texts : ['']).map((base64) => {
    try {
      return new X509Certificate(Buffer.from(base64, 'base64'));
    } catch {
      return null;
    }
  });
}

/** Each signing certificate once; a provider lists it again for other uses. */
function certificatesOf(role: XmlElement): { certificates: X509Certificate[]; warnings: ProviderWarningRecord[] } {
  const keys = childrenNamed(role, 'KeyDescriptor').filter((key) => textAttribute(key, 'use') !== 'encryption');
  const found = keys.map((key) => descendants(key, 'X509Certificate').flatMap(certificatesIn));
  const readable = found.flat().filter((one) => one !== null);
  const certificates = [...new Map(readable.map((one) => [one.fingerprint256, one])).values()];
  if (found.flat().length > MAX_SHOWN)
    throw new MetadataFault('KeyDescriptor', `it has more than ${MAX_SHOWN} certificates`);
  if (found.flat().length === 0)
    throw new MetadataFault('KeyDescriptor', 'there is no signing certificate (X509Certificate)');
  if (certificates.length === 0)
    throw new MetadataFault('X509Certificate', 'its text is no X.509 certificate in base64 or PEM');
  const unreadable = found.flat().length - readable.length;
  return {
    certificates,
    warnings: [
      ...warnIf(
        unreadable > 0,
        'saml_certificate_unreadable',
        `${unreadable} of the signing certificates (X509Certificate) cannot be read and are left out.`,
      ),
      ...warnIf(
        found.some((one) => one.filter(Boolean).length > 1),
        'saml_certificates_joined',
        'One KeyDescriptor holds several certificates (X509Certificate); each is read as one for signing.',
      ),
    ],
  };
}

/** Warnings about the document as a whole. */
function documentWarnings(root: XmlElement, entity: XmlElement, role: XmlElement): ProviderWarningRecord[] {
  const ends = [root, entity, role].map((one) => Date.parse(textAttribute(one, 'validUntil') ?? ''));
  const [ended] = ends
    .filter((end) => end < Date.now())
    .sort((a, b) => a - b)
    .map((end) => new Date(end).toISOString());
  const wantsSigned = /^(?:true|1)$/.test(textAttribute(role, 'WantAuthnRequestsSigned') ?? '');
  return [
    ...warnIf(
      ended !== undefined,
      'saml_metadata_expired',
      `The metadata were valid until ${ended} (validUntil); ask the provider for new ones.`,
    ),
    ...warnIf(
      wantsSigned,
      'saml_signed_requests_wanted',
      'The provider wants signed requests (WantAuthnRequestsSigned); this product sends none: switch it off.',
    ),
  ];
}

function warningsAbout(certificate: X509Certificate): ProviderWarningRecord[] {
  const fault = keyFault(certificate);
  const isExpired = Date.parse(certificate.validTo) < Date.now();
  const named = `The certificate ${certificate.subject}`;
  return [
    ...warnIf(isExpired, 'saml_certificate_expired', `${named} has expired.`),
    ...warnIf(fault !== null, 'saml_certificate_weak', `${named} has ${fault}, which is refused.`),
  ];
}

const recordWithPem = (certificate: X509Certificate): MetadataCertificateRecord => ({
  ...certificateRecordOf(certificate),
  pem: certificate.toString(),
});

async function treeOf(xml: string): Promise<XmlElement> {
  const text = plainXml(xml.replace(/^\uFEFF/, ''));
  if (text.length > MAX_CHARACTERS) throw new MetadataFault('document', 'it is too large');
  if (/<!DOCTYPE/i.test(text)) throw new MetadataFault('DOCTYPE', 'a document type is not accepted');
  try {
    requireModestXml(text, LIMITS);
    return await parseXml(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^the SAML response is refused: /, '') : '';
    throw new MetadataFault('document', reason || 'it is not XML');
  }
}

/**
 * Reads a provider's metadata. Its signature is not checked: an administrator confirms the result before it is used.
 * @throws MetadataFault
 */
export async function readMetadata(xml: string, withPem = false): Promise<SamlMetadataRecord> {
  const root = await treeOf(xml);
  const { entity, role } = providerIn(root);
  const entityId = textAttribute(entity, 'entityID') ?? '';
  if (!/^\S{1,1024}$/.test(entityId))
    throw new MetadataFault('EntityDescriptor', 'its entityID is no text of 1024 characters without blanks');
  const { certificates, warnings } = certificatesOf(role);
  const count = certificates.length;
  const tooMany = `The provider has ${count} signing certificates; at most ${MAX_TRUSTED} can be trusted at once.`;
  return {
    entityId,
    ssoUrl: ssoUrlOf(role),
    certificates: certificates.map(withPem ? recordWithPem : certificateRecordOf),
    warnings: [
      ...documentWarnings(root, entity, role),
      ...warnings,
      ...warnIf(count > MAX_TRUSTED, 'saml_certificates_many', tooMany),
      ...certificates.flatMap(warningsAbout),
    ],
  };
}

const MAX_SIGNERS = 4;
const bodyOf = (pem: string): string => pem.replace(/-----[^-]+-----|\s+/g, '');

/**
 * The part of a document that its signature covers; null for one without a signature.
 * @param certificates (PEM) one of them must verify the signature
 */
function signedPart(xml: string, root: XmlElement, certificates: readonly string[]): string | null {
  const [signature] = descendants(root, 'Signature');
  if (!signature) return null;
  const areKnown = (name: string, known: ReadonlySet<string>): boolean =>
    descendants(signature, name).every((element) => known.has(textAttribute(element, 'Algorithm') ?? ''));
  if (!areKnown('SignatureMethod', SIGNATURE_ALGORITHMS) || !areKnown('DigestMethod', DIGEST_ALGORITHMS))
    throw new MetadataFault('Signature', 'it is weaker than SHA-256, or of a kind that is not supported');
  const inside = descendants(signature, 'X509Certificate').map((element) => bodyOf(textOf(element)));
  const fitting = certificates.filter((pem) => inside.length === 0 || inside.includes(bodyOf(pem)));
  for (const publicCert of fitting.slice(0, MAX_SIGNERS)) {
    const signed = new SignedXml({ publicCert, getCertFromKeyInfo: () => null });
    try {
      signed.loadSignature(signature as never);
      const [part, more] = signed.checkSignature(xml) ? signed.getSignedReferences() : [];
      if (part !== undefined && more === undefined) return part;
    } catch {
      // This certificate does not verify it; the next one may.
    }
  }
  throw new MetadataFault('Signature', 'no certificate that the provider trusts or names verifies it');
}

/**
 * Reads metadata that are used without a person's look at them: they are not too old, and what is signed is verified
 * (SSO-121). A signature by a certificate that the document itself names proves no more than that it is whole.
 * @param trusted the certificates (PEM) that the provider trusts
 * @throws MetadataFault
 */
export async function readCurrentMetadata(xml: string, trusted: readonly string[]): Promise<SamlMetadataRecord> {
  const plain = xml.replace(/^\uFEFF/, '');
  const whole = await readMetadata(plain, true);
  const named = whole.certificates.map(({ pem = '' }) => pem);
  const part = signedPart(plain, await treeOf(plain), [...trusted, ...named]);
  const metadata = part === null ? whole : await readMetadata(part, true);
  if (metadata.warnings.some(({ code }) => code === 'saml_metadata_expired'))
    throw new MetadataFault('validUntil', 'the document is no longer valid');
  return metadata;
}
