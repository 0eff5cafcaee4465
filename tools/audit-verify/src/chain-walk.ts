import { createHash, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';

/**
 * RFC 8785: members sorted by UTF-16 code units, no white space. It shares no code with the service on purpose: a
 * verifier must not share the service's mistakes.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = value as Record<string, unknown>;
  return `{${Object.keys(members)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(members[name])}`)
    .join(',')}}`;
}

/** A signed statement: after `length` entries the chain ended in `head`. */
interface Checkpoint {
  readonly chain: string;
  readonly length: number;
  readonly head: string;
  readonly signedAt: string;
  readonly jws: string;
}

export interface KeySet {
  readonly keys: readonly (JsonWebKey & { readonly kid?: string })[];
}

/** What `GET /audit-logs/checkpoints` answers. */
export interface CheckpointFile {
  readonly data: readonly Checkpoint[];
  readonly jwks: KeySet;
}

type KeysById = ReadonlyMap<string, KeyObject>;

export const keysById = ({ keys }: KeySet): KeysById =>
  new Map(keys.map((key) => [key.kid ?? '', createPublicKey({ key, format: 'jwk' })]));

const TYPE = 'gatehouse-checkpoint+jws';

const decode = (part: string): Buffer => Buffer.from(part, 'base64url');

/**
 * Whether the compact JWS is of the type of checkpoints, is signed with one of the known Ed25519 keys and contains
 * exactly the checkpoint (RFC 7515 5.2, RFC 8037).
 */
export function isSigned({ jws, chain, length, head, signedAt }: Checkpoint, keys: KeysById): boolean {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  try {
    const { alg, kid, typ } = JSON.parse(decode(header).toString()) as Record<'alg' | 'kid' | 'typ', string>;
    const key = keys.get(kid);
    const isGenuine =
      alg === 'EdDSA' &&
      typ === TYPE &&
      key?.asymmetricKeyType === 'ed25519' &&
      verify(null, Buffer.from(`${header}.${payload}`), key, decode(signature));
    return isGenuine && decode(payload).toString() === canonicalJson({ chain, length, head, signedAt });
  } catch {
    return false;
  }
}

/** The members of an entry that the verifier reads. All members go into the hash. */
export interface Entry {
  readonly chain: string;
  readonly sequence: number;
  readonly previousHash: string;
  readonly hash: string;
  readonly [member: string]: unknown;
}

export interface ChainReport {
  readonly chain: string;
  /** Entries read. */
  readonly length: number;
  /** The length up to which a signed checkpoint covers the chain. */
  readonly coveredTo: number;
  readonly firstBadSequence: number | null;
  readonly reason: string | null;
}

const GENESIS = '0'.repeat(64);

function hashOf({ hash: _, ...entry }: Entry): string {
  return createHash('sha256').update(canonicalJson(entry)).digest('hex');
}

interface Fault {
  readonly sequence: number;
  readonly reason: string;
}

/** Walks one chain, entry by entry in the order of the export, in constant memory. */
export class ChainWalk {
  private length = 0;
  private head = GENESIS;
  private fault: Fault | null = null;
  /** The heads at the lengths that checkpoints state. */
  private readonly heads = new Map<number, string>();
  private readonly wanted: ReadonlySet<number>;

  constructor(
    private readonly chain: string,
    private readonly checkpoints: readonly Checkpoint[],
  ) {
    this.wanted = new Set(checkpoints.map(({ length }) => length));
  }

  take(entry: Entry): void {
    const sequence = this.length + 1;
    this.fault ??= this.faultOf(entry, sequence);
    this.length = sequence;
    this.head = entry.hash;
    if (this.wanted.has(sequence)) this.heads.set(sequence, entry.hash);
  }

  report(keys: KeysById): ChainReport {
    const { chain, length } = this;
    const faults = [this.fault, ...this.checkpoints.map((checkpoint) => this.contradiction(checkpoint, keys))].filter(
      (fault) => fault !== null,
    );
    const [first] = faults.sort((a, b) => a.sequence - b.sequence);
    const coveredTo = Math.max(0, ...[...this.wanted].filter((at) => !first || at < first.sequence));
    return { chain, length, coveredTo, firstBadSequence: first?.sequence ?? null, reason: first?.reason ?? null };
  }

  private faultOf(entry: Entry, sequence: number): Fault | null {
    if (entry.sequence !== sequence)
      return { sequence, reason: `is missing: entry ${entry.sequence} stands in its place` };
    if (entry.previousHash !== this.head) return { sequence, reason: 'does not follow the entry before it' };
    return entry.hash === hashOf(entry) ? null : { sequence, reason: 'was altered' };
  }

  private contradiction(checkpoint: Checkpoint, keys: KeysById): Fault | null {
    const { length, head } = checkpoint;
    if (!isSigned(checkpoint, keys))
      return { sequence: length, reason: 'has a checkpoint whose signature is not genuine' };
    if (length > this.length)
      return { sequence: this.length + 1, reason: `is missing: a checkpoint vouches for ${length} entries` };
    return this.heads.get(length) === head
      ? null
      : { sequence: length, reason: 'is not the one that its checkpoint vouches for' };
  }
}
