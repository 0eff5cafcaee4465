import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hash,
  hkdfSync,
  randomFillSync,
  timingSafeEqual,
} from 'node:crypto';
import { v7 } from 'uuid';

/** Random bytes are fetched in bulk, because a system call for a few bytes costs as much as one for many. */
const pool = Buffer.alloc(4_096);
let poolUsed = pool.length;

/** Cryptographically random bytes, each used once. @param size at most 4096 */
export function randomBytes(size: number): Buffer {
  if (poolUsed + size > pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  const drawn = Buffer.from(pool.subarray(poolUsed, poolUsed + size));
  pool.fill(0, poolUsed, poolUsed + size);
  poolUsed += size;
  return drawn;
}

let newest = { msecs: 0, seq: 0 };

/** A new id: UUID v7, so that ids sort by creation time, even within one millisecond. */
export function newId(): string {
  const random = randomBytes(16);
  const msecs = Date.now();
  newest =
    msecs > newest.msecs ? { msecs, seq: random.readUInt32BE(6) >>> 1 } : { msecs: newest.msecs, seq: newest.seq + 1 };
  return v7({ random, ...newest });
}

/** A random token: 32 bytes make the 43 characters of API keys, agent tokens and enrollment keys. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url');

export const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
export const sha256Hex = (data: string | Buffer): string => hash('sha256', data, 'hex');

/** Compares two texts of any length in constant time. */
export const sameText = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b));

interface Key {
  readonly id: string;
  readonly sealing: Buffer;
  readonly signing: Buffer;
}

const FORMAT = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

const derive = (secret: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `gatehouse/${purpose}`, 32));

function parseKey(text: string): Key {
  const encoded = text.trim().replace(/^[A-Za-z0-9_-]+:/, '');
  const secret = Buffer.from(encoded, 'base64');
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded) || secret.length !== 32)
    throw new Error('an encryption key must be 32 bytes in base64');
  // The id is derived from the key, so that it stays the same when the key moves from the single setting into the list.
  return { id: sha256Hex(secret).slice(0, 8), sealing: derive(secret, 'seal'), signing: derive(secret, 'mac') };
}

/** The key that sealed a value is not in the ring: an operator removed it before every value was sealed again. */
export class KeyMissing extends Error {
  constructor(readonly keyId: string) {
    super(`a stored secret cannot be opened: its key ${keyId} is not among SECRET_ENCRYPTION_KEYS`);
    this.name = 'KeyMissing';
  }
}

/**
 * The keys that protect stored secrets: AES-256-GCM under a key id, bound to the row by its context (invariant 6), and
 * HMAC-SHA256 for values that leave the service and come back, such as the state cookie. The first key seals and signs;
 * all keys open and verify.
 */
export class KeyRing {
  private constructor(private readonly keys: readonly Key[]) {}

  /**
   * @param setting `SECRET_ENCRYPTION_KEYS` ("k2:…,k1:…") or a single base64 key of 32 bytes
   * @throws Error when a key is malformed
   */
  static parse(setting: string): KeyRing {
    return new KeyRing(setting.split(',').map(parseKey));
  }

  private get primary(): Key {
    const [first] = this.keys;
    if (!first) throw new Error('a key ring needs at least one key');
    return first;
  }

  get primaryId(): string {
    return this.primary.id;
  }

  /** @param context the owner of the secret (`sso_provider:<id>:client_secret`); opening under another context fails */
  seal(secret: string | Buffer, context: string): string {
    const { id, sealing } = this.primary;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', sealing, iv).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(secret), cipher.final()]);
    return [FORMAT, id, Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')].join('.');
  }

  /** @throws KeyMissing; Error when the context differs or the sealed text was altered */
  openBytes(sealed: string, context: string): Buffer {
    const [format, id, body] = sealed.split('.');
    if (format !== FORMAT || !id || !body) throw new Error('this is not a sealed secret');
    const key = this.keys.find((candidate) => candidate.id === id);
    if (!key) throw new KeyMissing(id);
    const bytes = Buffer.from(body, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key.sealing, bytes.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  }

  open(sealed: string, context: string): string {
    return this.openBytes(sealed, context).toString('utf8');
  }

  has(keyId: string): boolean {
    return this.keys.some(({ id }) => id === keyId);
  }

  /** Seals the same secret under the primary key and a new nonce. @throws as {@link openBytes} does */
  reseal(sealed: string, context: string): string {
    return this.seal(this.openBytes(sealed, context), context);
  }

  /** HMAC-SHA256 in base64url (43 characters) over the purpose and the data: valid for that one purpose only. */
  mac(purpose: string, data: string): string {
    return this.macWith(this.primary, purpose, data);
  }

  /** Compares in constant time with every key of the ring, so that values signed before a rotation still verify. */
  verifies(purpose: string, data: string, mac: string): boolean {
    return this.keys.some((key) => sameText(this.macWith(key, purpose, data), mac));
  }

  private macWith(key: Key, purpose: string, data: string): string {
    return createHmac('sha256', key.signing).update(purpose).update('\0').update(data).digest('base64url');
  }
}

/**
 * The canonical form of a JSON value, from which hashes are computed: members sorted by their names' UTF-16 code
 * units, no white space, numbers and strings as ECMAScript writes them (RFC 8785 3.2). Undefined members are left
 * out.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  const members = value as Readonly<Record<string, unknown>>;
  let text = '';
  // Avoids a list of entries, because a verification serialises whole chains.
  for (const name of Object.keys(members).sort()) {
    if (members[name] !== undefined) text += `${text && ','}${JSON.stringify(name)}:${canonicalJson(members[name])}`;
  }
  return `{${text}}`;
}
