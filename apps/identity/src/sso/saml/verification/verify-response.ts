import type { SamlAttribute, SamlSubject } from '@gatehouse/identity-domain';
import { SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import { decodeResponse, requireAssertion, requireResponse, type SamlExpectation } from './saml-rules.ts';
import { withoutEncryption } from './encryption.ts';
import { addAlgorithms } from '../../../providers/saml-metadata/signature-algorithms.ts';
import {
  attribute,
  childrenNamed,
  parseXml,
  textAttribute,
  textOf,
  type XmlElement,
} from '../../../providers/saml-metadata/xml.ts';
import { requireModestXml } from '../../../providers/saml-metadata/xml-limits.ts';

addAlgorithms();

/** A posted response and everything that is needed to verify it. */
export interface SamlQuestion {
  readonly response: string;
  readonly expected: SamlExpectation;
  /** The provider's certificates in PEM. Those with weak keys count only until the provider's grace period ends. */
  readonly certificates: { readonly strong: readonly string[]; readonly weak: readonly string[] };
  /** Our private keys (PEM) for assertions that this provider encrypts. */
  readonly decryptionKeys: readonly string[];
}

export interface VerifiedResponse {
  readonly subject: SamlSubject;
  readonly byWeakKey: boolean;
  /** The certificate (PEM) that verified it; null when only several together did. */
  readonly certificate: string | null;
}

function attributeOf(one: XmlElement): SamlAttribute {
  const values = childrenNamed(one, 'AttributeValue').map(textOf);
  const [name, friendlyName] = [textAttribute(one, 'Name') ?? '', textAttribute(one, 'FriendlyName')];
  return friendlyName === null ? [name, values] : [name, values, friendlyName];
}

function subjectOf(assertion: XmlElement): SamlSubject {
  const [nameId] = childrenNamed(assertion, 'Subject').flatMap((subject) => childrenNamed(subject, 'NameID'));
  const [authentication] = childrenNamed(assertion, 'AuthnStatement');
  const statements = childrenNamed(assertion, 'AttributeStatement');
  const attributes = statements.flatMap((statement) => childrenNamed(statement, 'Attribute'));
  const contexts = childrenNamed(assertion, 'AuthnStatement')
    .flatMap((statement) => childrenNamed(statement, 'AuthnContext'))
    .flatMap((context) => childrenNamed(context, 'AuthnContextClassRef'));
  return {
    nameId: textOf(nameId),
    nameIdFormat: textAttribute(nameId, 'Format'),
    sessionIndex: attribute(authentication, 'SessionIndex'),
    attributes: attributes.map(attributeOf),
    authnContexts: contexts.map(textOf),
  };
}

const verifierFor = (expected: SamlExpectation, certificates: readonly string[]): SAML =>
  new SAML({
    entryPoint: expected.issuer,
    issuer: expected.audience,
    // Our own rules compare the audience, read without white space around it, and the times, and name what is wrong.
    audience: false,
    callbackUrl: expected.acsUrl,
    idpCert: [...certificates],
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: -1,
    // Our own rules compare the request id, and all replicas share the attempt that holds it.
    validateInResponseTo: ValidateInResponseTo.never,
  });

/** What was signed, and the key that alone verified it: during a rollover there are two, and one of them signed. */
async function verifiedBy(
  keys: readonly string[],
  verify: (keys: readonly string[]) => Promise<string>,
): Promise<{ signed: string; certificate: string | null }> {
  for (const key of keys.length > 1 ? keys : []) {
    const signed = await verify([key]).catch(() => null);
    if (signed !== null) return { signed, certificate: key };
  }
  return { signed: await verify(keys), certificate: keys.length === 1 ? (keys[0] ?? null) : null };
}

/**
 * Verifies that a response is genuine, comes from this provider and answers this request, and returns its subject. Only
 * the signed bytes are read. The sender determines the processor time, within the size limits, so this runs in a
 * worker.
 * @throws Error when the response is invalid
 */
export async function verifyResponse(question: SamlQuestion): Promise<VerifiedResponse> {
  const { response, expected, certificates, decryptionKeys } = question;
  const received = decodeResponse(response);
  requireModestXml(received);
  const xml = await withoutEncryption(received, decryptionKeys);
  requireResponse(await parseXml(xml), expected);
  const posted = { SAMLResponse: Buffer.from(xml, 'utf8').toString('base64') };
  const signedWith = async (keys: readonly string[]): Promise<string> => {
    if (keys.length === 0) throw new Error('the provider has no valid certificate with a strong key');
    const { profile } = await verifierFor(expected, keys).validatePostResponseAsync(posted);
    const signed = profile?.getAssertionXml?.();
    if (!signed) throw new Error('the SAML response has no verified assertion');
    return signed;
  };
  let byWeakKey = false;
  const { signed, certificate } = await verifiedBy(certificates.strong, signedWith).catch((error: unknown) => {
    if (certificates.weak.length === 0) throw error;
    byWeakKey = true;
    return verifiedBy(certificates.weak, signedWith);
  });
  const assertion = await parseXml(signed);
  requireAssertion(assertion, expected);
  return { subject: subjectOf(assertion), byWeakKey, certificate };
}
