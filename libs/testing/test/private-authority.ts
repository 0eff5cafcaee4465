import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { KeyObject, webcrypto } from 'node:crypto';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;

const validity = () => ({ notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + DAY_MS) });

/** An authority of one installation, whose certificate no system trusts by itself. */
export class PrivateAuthority {
  private constructor(
    private readonly own: X509Certificate,
    private readonly keys: webcrypto.CryptoKeyPair,
  ) {}

  static async create(): Promise<PrivateAuthority> {
    const keys = await newKeys();
    const own = await X509CertificateGenerator.createSelfSigned({
      ...validity(),
      name: 'CN=Private authority',
      keys,
      signingAlgorithm: ALGORITHM,
      extensions: [new BasicConstraintsExtension(true, 0, true)],
    });
    return new PrivateAuthority(own, keys);
  }

  get certificate(): string {
    return this.own.toString('pem');
  }

  /** A certificate for a server of that name, with its key, in PEM. */
  async certify(name: string): Promise<{ certificate: string; key: string }> {
    const keys = await newKeys();
    const certificate = await X509CertificateGenerator.create({
      ...validity(),
      subject: `CN=${name}`,
      issuer: this.own.subject,
      publicKey: keys.publicKey,
      signingKey: this.keys.privateKey,
      signingAlgorithm: ALGORITHM,
      extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: name }])],
    });
    const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
    return { certificate: certificate.toString('pem'), key };
  }
}
