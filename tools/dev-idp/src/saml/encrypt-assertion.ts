import { constants, createCipheriv, publicEncrypt, randomBytes } from 'node:crypto';

const ENC = 'http://www.w3.org/2001/04/xmlenc#';
const ENC11 = 'http://www.w3.org/2009/xmlenc11#';
const SHA1 = 'http://www.w3.org/2000/09/xmldsig#sha1';

const CIPHERS = {
  'aes-256-gcm': [`${ENC11}aes256-gcm`, 32],
  'aes-128-gcm': [`${ENC11}aes128-gcm`, 16],
  'aes-256-cbc': [`${ENC}aes256-cbc`, 32],
} as const;

const digest = (name: string): string => `<ds:DigestMethod Algorithm="${name}"/>`;
const mask = (name: string): string => `<xenc11:MGF xmlns:xenc11="${ENC11}" Algorithm="${ENC11}mgf1${name}"/>`;
/** The name of the algorithm, what it is told, and how Node.js does it. */
const TRANSPORTS = {
  'oaep-sha1': [`${ENC}rsa-oaep-mgf1p`, '', 'sha1'],
  'oaep-sha1-named': [`${ENC}rsa-oaep-mgf1p`, digest(SHA1), 'sha1'],
  'oaep11-sha1': [`${ENC11}rsa-oaep`, digest(SHA1) + mask('sha1'), 'sha1'],
  'oaep11-sha256': [`${ENC11}rsa-oaep`, digest(`${ENC}sha256`) + mask('sha256'), 'sha256'],
  /** Two hashes, which the service provider does not take. */
  'oaep-mixed': [`${ENC}rsa-oaep-mgf1p`, digest(`${ENC}sha256`), 'sha256'],
  'pkcs1-v1.5': [`${ENC}rsa-1_5`, '', null],
} as const;

export interface AssertionEncryption {
  /** The service provider's, in PEM. */
  readonly certificate: string;
  readonly cipher?: keyof typeof CIPHERS;
  readonly transport?: keyof typeof TRANSPORTS;
  /** Where the key stands: in the KeyInfo of the data (default), or beside the data. */
  readonly keyBeside?: boolean;
  /** Changes the bytes (nonce, cipher text, tag) and the key that are sent. */
  readonly spoil?: (bytes: Sent) => Sent;
}

interface Sent {
  readonly content: Buffer;
  readonly key: Buffer;
}

/** Encrypts a text with a fresh key, and that key for the service provider. */
function seal(
  text: string,
  { certificate, cipher, transport }: Required<Pick<AssertionEncryption, 'certificate' | 'cipher' | 'transport'>>,
): Sent {
  const [keyBytes, oaepHash] = [CIPHERS[cipher][1], TRANSPORTS[transport][2]];
  const secret = randomBytes(keyBytes);
  const encrypt = (): Buffer => {
    if (cipher === 'aes-256-cbc') {
      const nonce = randomBytes(16);
      const cbc = createCipheriv(cipher, secret, nonce);
      return Buffer.concat([nonce, cbc.update(text, 'utf8'), cbc.final()]);
    }
    const nonce = randomBytes(12);
    const gcm = createCipheriv(cipher, secret, nonce);
    return Buffer.concat([nonce, gcm.update(text, 'utf8'), gcm.final(), gcm.getAuthTag()]);
  };
  const padding = oaepHash
    ? { oaepHash, padding: constants.RSA_PKCS1_OAEP_PADDING }
    : { padding: constants.RSA_PKCS1_PADDING };
  return { content: encrypt(), key: publicEncrypt({ key: certificate, ...padding }, secret) };
}

/** Encrypts one element as XML Encryption 1.1 says, each time with a key of its own. */
export function encryptedAssertion(xml: string, encryption: AssertionEncryption): string {
  const { certificate, cipher = 'aes-256-gcm', transport = 'oaep11-sha256', keyBeside = false } = encryption;
  const whole = seal(xml, { certificate, cipher, transport });
  const sent = encryption.spoil?.(whole) ?? whole;
  const value = (bytes: Buffer): string =>
    `<xenc:CipherData><xenc:CipherValue>${bytes.toString('base64')}</xenc:CipherValue></xenc:CipherData>`;
  const key =
    `<xenc:EncryptedKey xmlns:xenc="${ENC}" Id="_key"><xenc:EncryptionMethod Algorithm="${TRANSPORTS[transport][0]}">` +
    `${TRANSPORTS[transport][1]}</xenc:EncryptionMethod>${value(sent.key)}</xenc:EncryptedKey>`;
  const info = keyBeside ? '<ds:RetrievalMethod URI="#_key"/>' : key;
  return (
    `<saml:EncryptedAssertion xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><xenc:EncryptedData xmlns:xenc="${ENC}"` +
    ` Type="${ENC}Element"><xenc:EncryptionMethod Algorithm="${CIPHERS[cipher][0]}"/><ds:KeyInfo>${info}</ds:KeyInfo>` +
    `${value(sent.content)}</xenc:EncryptedData>${keyBeside ? key : ''}</saml:EncryptedAssertion>`
  );
}
