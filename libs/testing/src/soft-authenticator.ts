import { isoCBOR } from '@simplewebauthn/server/helpers';
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest();
const USER_PRESENT = 0x01;
const ATTESTED = 0x40;

/** A passkey in software: ES256, no attestation (WebAuthn 3, 6.5.4). */
export class SoftAuthenticator {
  readonly id: Buffer;
  counter = 0;
  crossOrigin = false;
  private readonly keys: { privateKey: KeyObject; publicKey: KeyObject } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
  });

  constructor(
    private readonly origin: string,
    idBytes = 16,
  ) {
    this.id = randomBytes(idBytes);
  }

  register(challenge: string): Record<string, unknown> {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' });
    const cose = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const authData = Buffer.concat([
      this.head(USER_PRESENT | ATTESTED),
      Buffer.alloc(16),
      length,
      this.id,
      isoCBOR.encode(cose),
    ]);
    const attestation = isoCBOR.encode(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ]) as Parameters<typeof isoCBOR.encode>[0],
    );
    return this.credential({
      clientDataJSON: this.clientData('webauthn.create', challenge),
      attestationObject: Buffer.from(attestation).toString('base64url'),
      transports: ['internal'],
    });
  }

  assert(challenge: string): Record<string, unknown> {
    this.counter++;
    const authData = this.head(USER_PRESENT);
    const clientDataJSON = this.clientData('webauthn.get', challenge);
    const signature = sign(
      'sha256',
      Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))]),
      this.keys.privateKey,
    );
    return this.credential({
      clientDataJSON,
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  private head(flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(new URL(this.origin).hostname), Buffer.from([flags]), counter]);
  }

  private clientData(type: string, challenge: string): string {
    const { origin, crossOrigin } = this;
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin })).toString('base64url');
  }

  private credential(response: Record<string, unknown>): Record<string, unknown> {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}
