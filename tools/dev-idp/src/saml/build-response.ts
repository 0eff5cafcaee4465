import { createHash, createSign, type KeyLike, randomBytes } from 'node:crypto';
import { createOptionalCallbackFunction, SignedXml } from 'xml-crypto';
import { escapeMarkup as escape } from '../sign-in-page.ts';
import { type AssertionEncryption, encryptedAssertion } from './encrypt-assertion.ts';
import type { SamlKey } from './saml-key.ts';

export const EMAIL_NAME_ID = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const EXCLUSIVE_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

const MORE = 'http://www.w3.org/2001/04/xmldsig-more#';
const ALGORITHMS = {
  sha1: ['http://www.w3.org/2000/09/xmldsig#rsa-sha1', 'http://www.w3.org/2000/09/xmldsig#sha1'],
  sha256: ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2001/04/xmlenc#sha256'],
  pss: ['http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1', 'http://www.w3.org/2001/04/xmlenc#sha256'],
  sha512: ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', 'http://www.w3.org/2001/04/xmlenc#sha512'],
  rsa384: [`${MORE}rsa-sha384`, `${MORE}sha384`],
  ec256: [`${MORE}ecdsa-sha256`, 'http://www.w3.org/2001/04/xmlenc#sha256'],
  ec384: [`${MORE}ecdsa-sha384`, `${MORE}sha384`],
} as const;

/** Algorithms that real providers use and the library lacks. */
const signerOf = (name: string, hash: string) =>
  class {
    readonly getAlgorithmName = () => name;
    readonly getSignature = createOptionalCallbackFunction((material: string | Buffer, key: KeyLike) =>
      createSign(hash)
        .update(material)
        .sign({ key, dsaEncoding: 'ieee-p1363' } as never, 'base64'),
    );
    readonly verifySignature = createOptionalCallbackFunction((): boolean => false);
  };
class Sha384 {
  readonly getAlgorithmName = () => `${MORE}sha384`;
  readonly getHash = (xml: string) => createHash('sha384').update(xml, 'utf8').digest('base64');
}

/** Null leaves the element or attribute out. Times are instants. The defaults are those of an honest provider. */
const BY_PASSWORD = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport';

export interface ResponseFields {
  key: SamlKey;
  issuer: string;
  /** Issuer of the assertion when it differs from that of the response. */
  assertionIssuer?: string;
  audience: string | null;
  /** Where the response is posted: default for `recipient` and `destination`. */
  acsUrl: string;
  recipient?: string | null;
  destination?: string | null;
  inResponseTo: string | null;
  /** In the subject confirmation, when it differs from that of the response. */
  subjectInResponseTo?: string | null;
  nameId: string;
  nameIdFormat?: string;
  attributes?: Readonly<Record<string, string | readonly string[]>>;
  /** FriendlyName by name of attribute. */
  friendlyNames?: Readonly<Record<string, string>>;
  authnContext?: string;
  sessionIndex?: string;
  responseId?: string;
  assertionId?: string;
  version?: string;
  status?: string;
  issueInstant?: Date;
  notBefore?: Date;
  notOnOrAfter?: Date;
  /** Of the subject confirmation; default `notOnOrAfter`. */
  confirmationNotOnOrAfter?: Date;
  /** False leaves out the whole Conditions element. */
  conditions?: boolean;
  signAssertion?: boolean;
  signResponse?: boolean;
  algorithm?: keyof typeof ALGORITHMS;
  /** Encrypts the assertion once it is signed, and before the response is. */
  encryption?: AssertionEncryption;
  /** Changes the document before it is signed. */
  beforeSigning?: (xml: string) => string;
  /** Changes the document after it was signed. */
  afterSigning?: (xml: string) => string;
}

/** A SAMLResponse form value: base64 of the (by default assertion-signed) document. */
export const buildResponse = (fields: ResponseFields): string =>
  Buffer.from(buildResponseXml(fields), 'utf8').toString('base64');

/** The same as XML, for attacks that rearrange the document. */
export function buildResponseXml(fields: ResponseFields): string {
  const { signAssertion = true, signResponse = false, beforeSigning = same, afterSigning = same } = fields;
  let xml = beforeSigning(responseElement(fields));
  if (signAssertion) xml = sign(xml, 'Assertion', fields);
  const { encryption } = fields;
  if (encryption)
    xml = xml.replace(/<saml:Assertion.*<\/saml:Assertion>/s, (one) => encryptedAssertion(one, encryption));
  if (signResponse) xml = sign(xml, 'Response', fields);
  return afterSigning(xml);
}

const same = (xml: string): string => xml;
const newId = (): string => `_${randomBytes(16).toString('hex')}`;
const MINUTE_MS = 60_000;

const attribute = (name: string, value: string | null): string => (value === null ? '' : ` ${name}="${escape(value)}"`);
const time = (instant: Date): string => instant.toISOString();

function responseElement(fields: ResponseFields): string {
  const {
    issuer,
    acsUrl,
    inResponseTo,
    destination = acsUrl,
    responseId = newId(),
    version = '2.0',
    status = SUCCESS,
  } = fields;
  const { issueInstant = new Date() } = fields;
  return (
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"` +
    ` ID="${responseId}" Version="${version}" IssueInstant="${time(issueInstant)}"` +
    `${attribute('Destination', destination)}${attribute('InResponseTo', inResponseTo)}>` +
    `<saml:Issuer>${escape(issuer)}</saml:Issuer>` +
    `<samlp:Status><samlp:StatusCode Value="${escape(status)}"/></samlp:Status>` +
    `${assertionElement(fields, issueInstant)}</samlp:Response>`
  );
}

function assertionElement(fields: ResponseFields, issueInstant: Date): string {
  const { issuer, assertionIssuer = issuer, assertionId = newId(), version = '2.0', sessionIndex = newId() } = fields;
  return (
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${assertionId}" Version="${version}"` +
    ` IssueInstant="${time(issueInstant)}"><saml:Issuer>${escape(assertionIssuer)}</saml:Issuer>` +
    subjectElement(fields, issueInstant) +
    conditionsElement(fields, issueInstant) +
    `<saml:AuthnStatement AuthnInstant="${time(issueInstant)}" SessionIndex="${escape(sessionIndex)}"><saml:AuthnContext>` +
    `<saml:AuthnContextClassRef>${escape(fields.authnContext ?? BY_PASSWORD)}</saml:AuthnContextClassRef>` +
    `</saml:AuthnContext></saml:AuthnStatement>${attributesElement(fields)}</saml:Assertion>`
  );
}

function subjectElement(fields: ResponseFields, issueInstant: Date): string {
  const {
    acsUrl,
    recipient = acsUrl,
    inResponseTo,
    subjectInResponseTo = inResponseTo,
    nameId,
    nameIdFormat = EMAIL_NAME_ID,
  } = fields;
  const until = fields.confirmationNotOnOrAfter ?? fields.notOnOrAfter ?? later(issueInstant);
  return (
    `<saml:Subject><saml:NameID Format="${escape(nameIdFormat)}">${escape(nameId)}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData` +
    ` NotOnOrAfter="${time(until)}"${attribute('Recipient', recipient)}${attribute('InResponseTo', subjectInResponseTo)}/>` +
    `</saml:SubjectConfirmation></saml:Subject>`
  );
}

function conditionsElement(fields: ResponseFields, issueInstant: Date): string {
  if (fields.conditions === false) return '';
  const { audience, notBefore = issueInstant, notOnOrAfter = later(issueInstant) } = fields;
  const restriction =
    audience === null
      ? ''
      : `<saml:AudienceRestriction><saml:Audience>${escape(audience)}</saml:Audience></saml:AudienceRestriction>`;
  return `<saml:Conditions NotBefore="${time(notBefore)}" NotOnOrAfter="${time(notOnOrAfter)}">${restriction}</saml:Conditions>`;
}

const later = (instant: Date): Date => new Date(instant.getTime() + 5 * MINUTE_MS);

function attributesElement({ attributes = {}, friendlyNames = {} }: ResponseFields): string {
  const elements = Object.entries(attributes).map(([name, value]) => {
    const values = [value].flat().map((one) => `<saml:AttributeValue>${escape(one)}</saml:AttributeValue>`);
    const friendlyName = attribute('FriendlyName', friendlyNames[name] ?? null);
    return `<saml:Attribute Name="${escape(name)}"${friendlyName}>${values.join('')}</saml:Attribute>`;
  });
  return elements.length === 0 ? '' : `<saml:AttributeStatement>${elements.join('')}</saml:AttributeStatement>`;
}

/** Signs the outermost element of that name, with the signature where the schema wants it: right after the Issuer. */
function sign(xml: string, element: 'Assertion' | 'Response', { key, algorithm = 'sha256' }: ResponseFields): string {
  const [signatureAlgorithm, digestAlgorithm] = ALGORITHMS[algorithm];
  const xpath = element === 'Response' ? '/*' : `/*/*[local-name(.)='Assertion']`;
  const signer = new SignedXml({
    privateKey: key.privateKeyPem,
    publicCert: key.certificatePem,
    signatureAlgorithm,
    canonicalizationAlgorithm: EXCLUSIVE_C14N,
  });
  Object.assign(signer.SignatureAlgorithms, {
    [`${MORE}rsa-sha384`]: signerOf(`${MORE}rsa-sha384`, 'sha384'),
    [`${MORE}ecdsa-sha256`]: signerOf(`${MORE}ecdsa-sha256`, 'sha256'),
    [`${MORE}ecdsa-sha384`]: signerOf(`${MORE}ecdsa-sha384`, 'sha384'),
  });
  Object.assign(signer.HashAlgorithms, { [`${MORE}sha384`]: Sha384 });
  signer.addReference({ xpath, digestAlgorithm, transforms: [ENVELOPED, EXCLUSIVE_C14N] });
  signer.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' },
  });
  return signer.getSignedXml();
}
