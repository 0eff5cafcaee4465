import { attribute, childrenNamed, descendants, textOf, type XmlElement } from './xml.ts';

/** What an honest answer to our request says. */
export interface SamlExpectation {
  readonly acsUrl: string;
  /** Our own entity id. */
  readonly audience: string;
  /** The provider's entity id. */
  readonly issuer: string;
  readonly requestId: string;
  readonly now: Date;
}

export const CLOCK_SKEW_MS = 60_000;
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const MAX_BYTES = 256 * 1024;
const MAX_SIGNATURES = 2;

/** SHA-256 or better, as far as the signature can be verified. */
const SIGNATURE_ALGORITHMS = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
]);
const DIGEST_ALGORITHMS = new Set(['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512']);

type Check = readonly [isBroken: boolean, fault: string];

function requireAll(checks: readonly Check[]): void {
  const broken = checks.find(([isBroken]) => isBroken);
  if (broken) throw new Error(`the SAML response is refused: ${broken[1]}`);
}

/**
 * The text of a response, before any parser sees it. A DOCTYPE can make a parser fetch, expand or default; a comment can cut
 * a name in two; neither has a place in a response.
 * @throws Error
 */
export function decodeResponse(base64: string): string {
  const compact = base64.replace(/\s+/g, '');
  requireAll([[compact.length * 3 > MAX_BYTES * 4, 'too large'], [!/^[A-Za-z0-9+/]+={0,2}$/.test(compact), 'not base64']]);
  const xml = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(compact, 'base64'));
  requireAll([[/<!/.test(xml), 'it has a document type, an entity, a comment or a CDATA section'], [/<\?(?!xml\s)/.test(xml), 'it has a processing instruction']]);
  return xml;
}

function signatureFaults(root: XmlElement): Check[] {
  const signatures = descendants(root, 'Signature');
  const algorithms = (name: string, known: ReadonlySet<string>): boolean => descendants(root, name).every((element) => known.has(attribute(element, 'Algorithm') ?? ''));
  return [
    [signatures.length === 0 || signatures.length > MAX_SIGNATURES, 'it has no signature, or too many'],
    [signatures.some((signature) => childrenNamed(signature, 'SignedInfo').length !== 1 || descendants(signature, 'SignedInfo').length !== 1), 'a signature has more than one SignedInfo'],
    [signatures.some((signature) => descendants(signature, 'Reference').length !== 1), 'a signature has more than one reference'],
    [!algorithms('SignatureMethod', SIGNATURE_ALGORITHMS) || !algorithms('DigestMethod', DIGEST_ALGORITHMS), 'a signature is weaker than SHA-256, or of a kind that is not supported'],
  ];
}

/**
 * The form of the whole response, and the claims of its envelope. Exactly one assertion exists anywhere, so what is verified
 * later cannot be another one than what is read.
 * @throws Error
 */
export function requireResponse(root: XmlElement, expected: SamlExpectation): void {
  const [assertion] = descendants(root, 'Assertion');
  const [issuer] = childrenNamed(root, 'Issuer');
  const [status] = childrenNamed(root, 'Status');
  const destination = attribute(root, 'Destination');
  requireAll([
    [root.localName !== 'Response' || root.namespaceURI !== PROTOCOL, 'it is not a response'],
    [descendants(root, 'Response').length !== 0, 'it holds another response'],
    [descendants(root, 'EncryptedAssertion').length !== 0, 'its assertion is encrypted'],
    [attribute(root, 'Version') !== '2.0', 'its version is not 2.0'],
    [destination !== null && destination !== expected.acsUrl, 'it is meant for another address'],
    [attribute(root, 'InResponseTo') !== expected.requestId, 'it answers another request'],
    [issuer !== undefined && textOf(issuer) !== expected.issuer, 'it comes from another provider'],
    [attribute(status && childrenNamed(status, 'StatusCode')[0], 'Value') !== SUCCESS, 'the provider reports no success'],
    [descendants(root, 'Assertion').length !== 1 || assertion?.parentNode !== root || assertion.namespaceURI !== ASSERTION, 'it does not have exactly one assertion'],
    ...signatureFaults(root),
  ]);
}

const instant = (element: XmlElement | undefined, name: string): number => Date.parse(attribute(element, name) ?? '');
/** A bound that is absent or unreadable is not kept. */
const isPast = (element: XmlElement | undefined, name: string, now: Date): boolean => !(instant(element, name) + CLOCK_SKEW_MS > now.getTime());
const isAhead = (element: XmlElement | undefined, name: string, now: Date): boolean => instant(element, name) - CLOCK_SKEW_MS > now.getTime();

function isConfirmed(confirmation: XmlElement, { acsUrl, requestId, now }: SamlExpectation): boolean {
  const [data] = childrenNamed(confirmation, 'SubjectConfirmationData');
  const isNow = !isPast(data, 'NotOnOrAfter', now) && !isAhead(data, 'NotBefore', now);
  return isNow && attribute(confirmation, 'Method') === BEARER && attribute(data, 'Recipient') === acsUrl && attribute(data, 'InResponseTo') === requestId;
}

/**
 * The verified assertion itself (SAML profiles 4.1.4.3): made by the provider, for us, for this request, for now.
 * @throws Error
 */
export function requireAssertion(assertion: XmlElement, expected: SamlExpectation): void {
  const [subject] = childrenNamed(assertion, 'Subject');
  const conditions = childrenNamed(assertion, 'Conditions');
  const restrictions = conditions.flatMap((condition) => childrenNamed(condition, 'AudienceRestriction'));
  const names = (restriction: XmlElement): string[] => childrenNamed(restriction, 'Audience').map(textOf);
  const statements = childrenNamed(assertion, 'AuthnStatement');
  requireAll([
    [assertion.localName !== 'Assertion' || assertion.namespaceURI !== ASSERTION || attribute(assertion, 'Version') !== '2.0', 'it has no SAML 2.0 assertion'],
    [textOf(childrenNamed(assertion, 'Issuer')[0]) !== expected.issuer, 'the assertion comes from another provider'],
    [!subject || childrenNamed(subject, 'NameID').length !== 1, 'the assertion does not name one subject'],
    [!subject || !childrenNamed(subject, 'SubjectConfirmation').some((confirmation) => isConfirmed(confirmation, expected)), 'the subject is not confirmed for us and this request'],
    [conditions.length !== 1 || isPast(conditions[0], 'NotOnOrAfter', expected.now) || isAhead(conditions[0], 'NotBefore', expected.now), 'the assertion is not valid now'],
    [restrictions.length === 0 || !restrictions.every((restriction) => names(restriction).includes(expected.audience)), 'the assertion is meant for somebody else'],
    [statements.length === 0, 'the assertion is not about an authentication'],
    [statements.some((statement) => attribute(statement, 'SessionNotOnOrAfter') !== null && isPast(statement, 'SessionNotOnOrAfter', expected.now)), "the provider's session has ended"],
  ]);
}
