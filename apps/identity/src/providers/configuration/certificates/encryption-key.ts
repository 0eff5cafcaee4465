import { generateKeyPair, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';

const RSA_BITS = 3_072;
const YEARS = 10;
const SUBJECT = 'SAML assertion encryption';

/** An element of DER: its tag, its length and its parts (ITU-T X.690). */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const { length } = Buffer.concat(parts);
  const bytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), ...parts]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
/** UTCTime, which reaches to 2049. */
const time = (at: Date): Buffer => der(0x17, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(2, 14)}Z`));

const VERSION_3 = der(0xa0, der(0x02, Buffer.from([2])));
const SHA256_WITH_RSA = sequence(identifier('2a864886f70d01010b'), der(0x05));
/** Identity providers refuse certificates that say nothing of keys: digitalSignature and keyEncipherment, critical. */
const KEY_USAGE = sequence(
  identifier('551d0f'),
  der(0x01, Buffer.from([0xff])),
  der(0x04, der(0x03, Buffer.from([0x05, 0xa0]))),
);
const EXTENSIONS = der(0xa3, sequence(KEY_USAGE));
const NAME = sequence(der(0x31, sequence(identifier('550403'), der(0x0c, Buffer.from(SUBJECT)))));

export interface EncryptionKey {
  /** In PEM. */
  readonly certificate: string;
  readonly privateKey: string;
}

/** A fresh RSA key with a self-signed certificate over it, the form in which identity providers take public keys. */
export async function newEncryptionKey(now = new Date()): Promise<EncryptionKey> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS });
  const end = new Date(now);
  end.setUTCFullYear(now.getUTCFullYear() + YEARS);
  const serial = der(0x02, Buffer.concat([Buffer.from([0x40]), randomBytes(15)]));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const validity = sequence(time(now), time(end));
  const content = sequence(VERSION_3, serial, SHA256_WITH_RSA, NAME, validity, NAME, spki, EXTENSIONS);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  const lines =
    sequence(content, SHA256_WITH_RSA, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
