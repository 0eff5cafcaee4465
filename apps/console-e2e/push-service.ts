import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const SALT_BYTES = 16;
const SIZE_BYTES = 4;
const TAG_BYTES = 16;
const END_OF_TEXT = 2;

/** The keys of a browser's subscription to pushes. */
export class PushKeys {
  private readonly own = createECDH('prime256v1');
  private readonly auth = randomBytes(16);

  constructor() {
    this.own.generateKeys();
  }

  /** What the browser tells the server. */
  get shown() {
    return { p256dh: this.own.getPublicKey('base64url'), auth: this.auth.toString('base64url') };
  }

  /** Opens a message by RFC 8291, which is one record of RFC 8188. @returns its text */
  open(message: Buffer): string {
    const salt = message.subarray(0, SALT_BYTES);
    const keyAt = SALT_BYTES + SIZE_BYTES + 1;
    const recordAt = keyAt + message.readUInt8(keyAt - 1);
    const sender = message.subarray(keyAt, recordAt);
    const own = this.own.getPublicKey();
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), own, sender]);
    const secret = hkdfSync('sha256', this.own.computeSecret(sender), this.auth, info, 32);
    const derive = (name: string, length: number) =>
      Buffer.from(hkdfSync('sha256', Buffer.from(secret), salt, `Content-Encoding: ${name}\0`, length));
    const opening = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
    opening.setAuthTag(message.subarray(-TAG_BYTES));
    const text = Buffer.concat([opening.update(message.subarray(recordAt, -TAG_BYTES)), opening.final()]);
    return text.subarray(0, text.lastIndexOf(END_OF_TEXT)).toString();
  }
}

/** The push service of a browser's vendor: keeps what is sent to an address, and hands it to whom asks there. */
export async function startPushService() {
  const kept = new Map<string, string[]>();
  const server = createServer(async (request, response) => {
    const address = request.url ?? '';
    const messages = kept.get(address) ?? [];
    if (request.method === 'GET') return response.end(JSON.stringify(messages));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    kept.set(address, [...messages, Buffer.concat(chunks).toString('base64')]);
    response.writeHead(201).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
