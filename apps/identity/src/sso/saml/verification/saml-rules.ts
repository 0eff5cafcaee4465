import { DIGEST_ALGORITHMS, SIGNATURE_ALGORITHMS } from '../../../providers/saml-metadata/signature-algorithms.ts';
import {
  attribute,
  childElements,
  childrenNamed,
  descendants,
  textAttribute,
  textOf,
  type XmlElement,
} from '../../../providers/saml-metadata/xml.ts';

/** The values that a valid response to our request contains. */
export interface SamlExpectation {
  readonly acsUrl: string;
  /** The entity id of this service provider. */
  readonly audience: string;
  /** The provider's entity id. */
  readonly issuer: string;
  readonly requestId: string;
  readonly now: Date;
}

const CLOCK_SKEW_MS = 60_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The lifetime of a sign-in attempt. */
const MAX_AGE_MS = 10 * MINUTE_MS;
/** Providers use five minutes to one hour; some let administrators choose up to a day. */
const MAX_VALIDITY_MS = 24 * HOUR_MS;
/** The longest span from NotBefore, which may lie in the past, to NotOnOrAfter. */
const MAX_SPAN_MS = 25 * HOUR_MS;
const MAX_SESSION_MS = 366 * 24 * HOUR_MS;
const CONDITIONS: ReadonlySet<string> = new Set(['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']);
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
/** What fits, as base64, into the body of the ACS. */
const MAX_BYTES = 384 * 1024;
const MAX_SIGNATURES = 2;
const MAX_STATUS = 300;

type Check = readonly [isBroken: boolean, fault: string];

function requireAll(checks: readonly Check[]): void {
  const broken = checks.find(([isBroken]) => isBroken);
  if (broken) throw new Error(`the SAML response is refused: ${broken[1]}`);
}

/**
 * Decodes a response and rejects dangerous constructs before a parser sees it. A DOCTYPE can make a parser fetch or
 * expand entities or add default values, and a comment can split a name in two; a response needs neither.
 * @throws Error
 */
export function decodeResponse(base64: string): string {
  const compact = base64.replace(/\s+/g, '');
  requireAll([
    [compact.length * 3 > MAX_BYTES * 4, 'too large'],
    [!/^[A-Za-z0-9+/]+={0,2}$/.test(compact), 'not base64'],
  ]);
  const xml = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(compact, 'base64'));
  requireAll([
    [/<!/.test(xml), 'it has a document type, an entity, a comment or a CDATA section'],
    [/<\?(?!xml\s)/.test(xml), 'it has a processing instruction'],
  ]);
  return xml;
}

function signatureFaults(root: XmlElement): Check[] {
  const signatures = descendants(root, 'Signature');
  const algorithms = (name: string, known: ReadonlySet<string>): boolean =>
    descendants(root, name).every((element) => known.has(attribute(element, 'Algorithm') ?? ''));
  return [
    [signatures.length === 0 || signatures.length > MAX_SIGNATURES, 'it has no signature, or too many'],
    [
      signatures.some(
        (signature) =>
          childrenNamed(signature, 'SignedInfo').length !== 1 || descendants(signature, 'SignedInfo').length !== 1,
      ),
      'a signature has more than one SignedInfo',
    ],
    [
      signatures.some((signature) => descendants(signature, 'Reference').length !== 1),
      'a signature has more than one reference',
    ],
    [
      !signatures.some(({ parentNode }) => parentNode?.localName === 'Assertion'),
      'its assertion has no signature of its own; that of the response does not count',
    ],
    [
      !algorithms('SignatureMethod', SIGNATURE_ALGORITHMS) || !algorithms('DigestMethod', DIGEST_ALGORITHMS),
      'a signature is weaker than SHA-256, or of a kind that is not supported',
    ],
  ];
}

/** What the provider says of a failure: its status codes, the second of which is the finer one, and its message. */
function statusIn(status: XmlElement): string {
  const codes = descendants(status, 'StatusCode').map((code) => attribute(code, 'Value')?.split(':').at(-1));
  const [message] = childrenNamed(status, 'StatusMessage').map(textOf);
  return `${codes.join(', ')}${message ? `: ${message}` : ''}`.slice(0, MAX_STATUS);
}

/**
 * Checks the structure of the response and the claims of its envelope. The document must contain exactly one assertion,
 * so the assertion that is verified later is the one that is read.
 * @throws Error
 */
export function requireResponse(root: XmlElement, expected: SamlExpectation): void {
  const [assertion] = descendants(root, 'Assertion');
  const [issuer] = childrenNamed(root, 'Issuer');
  const [status] = childrenNamed(root, 'Status');
  const destination = textAttribute(root, 'Destination');
  requireAll([
    [root.localName !== 'Response' || root.namespaceURI !== PROTOCOL, 'it is not a response'],
    [descendants(root, 'Response').length !== 0, 'it holds another response'],
    [descendants(root, 'EncryptedData').length !== 0, 'a part of its assertion is encrypted; only the whole may be'],
    [attribute(root, 'Version') !== '2.0', 'its version is not 2.0'],
    [!isIssuedNow(root, expected), 'it was not issued now'],
    [destination !== null && destination !== expected.acsUrl, 'it is meant for another address'],
    [attribute(root, 'InResponseTo') !== expected.requestId, 'it answers another request'],
    [issuer !== undefined && textOf(issuer) !== expected.issuer, 'it comes from another provider'],
    [
      attribute(status && childrenNamed(status, 'StatusCode')[0], 'Value') !== SUCCESS,
      `the provider reports no success (${status ? statusIn(status) : 'no status'})`,
    ],
    [
      descendants(root, 'Assertion').length !== 1 ||
        assertion?.parentNode !== root ||
        assertion.namespaceURI !== ASSERTION,
      'it does not have exactly one assertion',
    ],
    ...signatureFaults(root),
  ]);
}

const instant = (element: XmlElement | undefined, name: string): number => Date.parse(attribute(element, name) ?? '');
/** A missing or unreadable bound counts as past. */
const isPast = (element: XmlElement | undefined, name: string, now: Date): boolean =>
  !(instant(element, name) + CLOCK_SKEW_MS > now.getTime());
/** A missing bound does not count as ahead. */
const isAhead = (element: XmlElement | undefined, name: string, now: Date): boolean =>
  attribute(element, name) !== null && !(instant(element, name) - CLOCK_SKEW_MS <= now.getTime());
/** Tells whether the time lies more than `limitMs` ahead; a missing time does not. */
const isFar = (
  element: XmlElement | undefined,
  name: string,
  { now, limitMs }: { now: Date; limitMs: number },
): boolean => attribute(element, name) !== null && !(instant(element, name) <= now.getTime() + CLOCK_SKEW_MS + limitMs);

/**
 * The response answers a request that is minutes old, so it cannot be older than that itself (SAML core 2.3.3, 3.2.2).
 */
const isIssuedNow = (element: XmlElement, { now }: SamlExpectation): boolean => {
  const age = now.getTime() - instant(element, 'IssueInstant');
  return age >= -CLOCK_SKEW_MS && age <= MAX_AGE_MS + CLOCK_SKEW_MS;
};

function confirmationFaults(confirmations: XmlElement[], { acsUrl, requestId, now }: SamlExpectation): Check[] {
  const bearers = confirmations.filter((confirmation) => attribute(confirmation, 'Method') === BEARER);
  const ours = bearers
    .map((confirmation) => childrenNamed(confirmation, 'SubjectConfirmationData')[0])
    .filter((data) => textAttribute(data, 'Recipient') === acsUrl && attribute(data, 'InResponseTo') === requestId);
  const current = ours.filter((data) => !isPast(data, 'NotOnOrAfter', now) && !isAhead(data, 'NotBefore', now));
  const isBrief = current.some((data) => !isFar(data, 'NotOnOrAfter', { now, limitMs: MAX_VALIDITY_MS }));
  return [
    [ours.length === 0, 'the subject is not confirmed for us and this request'],
    [current.length === 0, 'the confirmation of the subject is not valid now'],
    [!isBrief, 'the confirmation of the subject is valid for too long'],
  ];
}

/** SAML core 2.5.1.1: an unknown condition cannot be evaluated, so it makes the assertion invalid. */
const isKnownCondition = ({ localName, namespaceURI }: XmlElement): boolean =>
  namespaceURI === ASSERTION && CONDITIONS.has(localName);

function conditionFaults(assertion: XmlElement, { now, audience }: SamlExpectation): Check[] {
  const all = childrenNamed(assertion, 'Conditions');
  const [conditions] = all;
  const children = all.flatMap(childElements);
  const restrictions = children.filter(({ localName }) => localName === 'AudienceRestriction');
  const names = (restriction: XmlElement): string[] => childrenNamed(restriction, 'Audience').map(textOf);
  const span = instant(conditions, 'NotOnOrAfter') - instant(conditions, 'NotBefore');
  return [
    [
      all.length !== 1 || isPast(conditions, 'NotOnOrAfter', now) || isAhead(conditions, 'NotBefore', now),
      'the assertion is not valid now',
    ],
    [
      isFar(conditions, 'NotOnOrAfter', { now, limitMs: MAX_VALIDITY_MS }) || span > MAX_SPAN_MS,
      'the assertion is valid for too long',
    ],
    [!children.every(isKnownCondition), 'the assertion has a condition that is not known'],
    [
      restrictions.length === 0 || !restrictions.every((restriction) => names(restriction).includes(audience)),
      'the assertion is meant for another audience',
    ],
  ];
}

function authenticationFaults(assertion: XmlElement, { now }: SamlExpectation): Check[] {
  const statements = childrenNamed(assertion, 'AuthnStatement');
  const ends = statements.filter((statement) => attribute(statement, 'SessionNotOnOrAfter') !== null);
  const isEndless = (statement: XmlElement): boolean =>
    isFar(statement, 'SessionNotOnOrAfter', { now, limitMs: MAX_SESSION_MS });
  return [
    [statements.length === 0, 'the assertion is not about an authentication'],
    [statements.some((statement) => isAhead(statement, 'AuthnInstant', now)), 'the authentication lies ahead'],
    [ends.some((statement) => isPast(statement, 'SessionNotOnOrAfter', now)), "the provider's session has ended"],
    [ends.some(isEndless), "the provider's session lasts too long"],
  ];
}

/**
 * Checks the verified assertion (SAML profiles 4.1.4.3): this provider issued it, for us, for this request, and it is
 * valid now.
 * @throws Error
 */
export function requireAssertion(assertion: XmlElement, expected: SamlExpectation): void {
  const [subject] = childrenNamed(assertion, 'Subject');
  const confirmations = subject ? childrenNamed(subject, 'SubjectConfirmation') : [];
  requireAll([
    [
      assertion.localName !== 'Assertion' ||
        assertion.namespaceURI !== ASSERTION ||
        attribute(assertion, 'Version') !== '2.0',
      'it has no SAML 2.0 assertion',
    ],
    [!isIssuedNow(assertion, expected), 'the assertion was not issued now'],
    [textOf(childrenNamed(assertion, 'Issuer')[0]) !== expected.issuer, 'the assertion comes from another provider'],
    [!subject || childrenNamed(subject, 'NameID').length !== 1, 'the assertion does not name one subject'],
    ...confirmationFaults(confirmations, expected),
    ...conditionFaults(assertion, expected),
    ...authenticationFaults(assertion, expected),
  ]);
}
