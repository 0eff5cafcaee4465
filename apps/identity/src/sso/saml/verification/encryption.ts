import { constants, createDecipheriv, privateDecrypt, randomBytes } from 'node:crypto';
import {
  attribute,
  childElements,
  descendants,
  parseXml,
  type XmlElement,
} from '../../../providers/saml-metadata/xml.ts';
import { requireModestXml } from '../../../providers/saml-metadata/xml-limits.ts';

const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const ENC = 'http://www.w3.org/2001/04/xmlenc#';
export const ENC11 = 'http://www.w3.org/2009/xmlenc11#';
const SHA1 = 'http://www.w3.org/2000/09/xmldsig#sha1';

/** Content ciphers that authenticate what they encrypt; CBC does not. */
export const CONTENT_CIPHERS = [
  { algorithm: `${ENC11}aes256-gcm`, cipher: 'aes-256-gcm', keyBytes: 32 },
  { algorithm: `${ENC11}aes128-gcm`, cipher: 'aes-128-gcm', keyBytes: 16 },
] as const;

/**
 * RSA-OAEP with one hash for digest and mask, because Node.js takes one for both. PKCS#1 v1.5 is refused: a client that
 * posts responses could learn from the refusals what a cipher text holds.
 */
export const KEY_TRANSPORTS = [
  { algorithm: `${ENC11}rsa-oaep`, digest: `${ENC}sha256`, mask: `${ENC11}mgf1sha256`, oaepHash: 'sha256' },
  { algorithm: `${ENC11}rsa-oaep`, digest: SHA1, mask: `${ENC11}mgf1sha1`, oaepHash: 'sha1' },
  { algorithm: `${ENC}rsa-oaep-mgf1p`, digest: SHA1, mask: `${ENC11}mgf1sha1`, oaepHash: 'sha1' },
] as const;

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MAX_KEY_BYTES = 1_024;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const ENCRYPTED = /<((?:[\w.-]+:)?EncryptedAssertion)(?=[\s>])[^]*<\/\1\s*>/;

class Refused extends Error {
  constructor(fault: string) {
    super(`the SAML response is refused: ${fault}`);
  }
}

/** The only child of this name, in the namespace of XML encryption. */
function only(parent: XmlElement | undefined, name: string): XmlElement {
  const [found, ...others] = parent ? childElements(parent).filter(({ localName }) => localName === name) : [];
  if (!found || others.length > 0 || found.namespaceURI !== ENC)
    throw new Refused('its assertion is encrypted in a form that cannot be read');
  return found;
}

function bytesIn(encrypted: XmlElement): Buffer {
  const text = (only(only(encrypted, 'CipherData'), 'CipherValue').textContent ?? '').replace(/\s+/g, '');
  if (!BASE64.test(text)) throw new Refused('its assertion is encrypted in a form that cannot be read');
  return Buffer.from(text, 'base64');
}

function cipherOf(data: XmlElement): (typeof CONTENT_CIPHERS)[number] {
  const algorithm = attribute(only(data, 'EncryptionMethod'), 'Algorithm');
  const known = CONTENT_CIPHERS.find((one) => one.algorithm === algorithm);
  if (known) return known;
  const cbc = algorithm?.endsWith('-cbc') ? 'with CBC' : 'with a cipher that is not known';
  throw new Refused(`its assertion is encrypted ${cbc}; AES-128-GCM and AES-256-GCM are accepted`);
}

function transportOf(key: XmlElement): (typeof KEY_TRANSPORTS)[number] {
  const method = only(key, 'EncryptionMethod');
  const named = (name: string, otherwise: string): string | null => {
    const [found, ...others] = descendants(method, name);
    return others.length > 0 ? null : found ? attribute(found, 'Algorithm') : otherwise;
  };
  const [digest, mask] = [named('DigestMethod', SHA1), named('MGF', `${ENC11}mgf1sha1`)];
  const algorithm = attribute(method, 'Algorithm');
  const known = KEY_TRANSPORTS.find((one) => one.algorithm === algorithm && one.digest === digest && one.mask === mask);
  if (known && descendants(method, 'OAEPparams').length === 0) return known;
  throw new Refused(
    'the key of its assertion is encrypted in a way that is not accepted; RSA-OAEP with SHA-1 or SHA-256 is, ' +
      'for digest and mask alike',
  );
}

interface Envelope {
  readonly data: XmlElement;
  readonly key: XmlElement;
}

function envelopeIn(root: XmlElement): Envelope {
  const [assertion, ...others] = descendants(root, 'EncryptedAssertion');
  if (!assertion || others.length > 0 || assertion.parentNode !== root || assertion.namespaceURI !== ASSERTION)
    throw new Refused('it does not have exactly one assertion that is encrypted');
  if (descendants(root, 'Assertion').length > 0)
    throw new Refused('it has an assertion beside the one that is encrypted');
  const [data, keys] = [only(assertion, 'EncryptedData'), descendants(assertion, 'EncryptedKey')];
  const [key] = keys;
  if (!key || keys.length > 1 || key.namespaceURI !== ENC || descendants(assertion, 'EncryptedData').length > 1)
    throw new Refused('its assertion is encrypted for more than one recipient, or for none');
  return { data, key };
}

/** A key that cannot be opened is replaced by a random one, so that every failure takes the same way to its end. */
function contentKey(
  wrapped: Buffer,
  oaepHash: string,
  { keys, keyBytes }: { readonly keys: readonly string[]; readonly keyBytes: number },
): Buffer {
  const opened = keys.map((key) => {
    try {
      return privateDecrypt({ key, oaepHash, padding: constants.RSA_PKCS1_OAEP_PADDING }, wrapped);
    } catch {
      return null;
    }
  });
  return opened.find((one) => one?.length === keyBytes) ?? randomBytes(keyBytes);
}

function decrypted({ data, key }: Envelope, keys: readonly string[]): string {
  const [{ cipher, keyBytes }, { oaepHash }] = [cipherOf(data), transportOf(key)];
  const [content, wrapped] = [bytesIn(data), bytesIn(key)];
  if (content.length <= NONCE_BYTES + TAG_BYTES || wrapped.length > MAX_KEY_BYTES)
    throw new Refused('its assertion is encrypted in a form that cannot be read');
  if (keys.length === 0)
    throw new Refused('its assertion is encrypted, and there is no key of ours for this provider yet');
  try {
    const secret = contentKey(wrapped, oaepHash, { keys, keyBytes });
    const decipher = createDecipheriv(cipher, secret, content.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(content.subarray(-TAG_BYTES));
    const plain = Buffer.concat([decipher.update(content.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain);
  } catch {
    throw new Refused('its assertion is encrypted, and cannot be decrypted with the key for this provider');
  }
}

/**
 * Puts the assertion in the place of its encrypted form, so that every rule for responses holds for it unchanged
 * (SSO-180). A response without an encrypted assertion stays as it is.
 * @param keys our private keys for this provider, in PEM
 * @throws Error
 */
export async function withoutEncryption(xml: string, keys: readonly string[]): Promise<string> {
  if (!xml.includes('EncryptedAssertion')) return xml;
  const root = await parseXml(xml);
  if (descendants(root, 'EncryptedAssertion').length === 0) return xml;
  const assertion = decrypted(envelopeIn(root), keys);
  // By itself it must be one element, so that it cannot close another and open a new one.
  requireModestXml(assertion);
  const opened = xml.replace(ENCRYPTED, () => assertion);
  requireModestXml(opened);
  return opened;
}
