import { Text, Whole } from '@gatehouse/contracts-core';
import type { Reader, Tx } from '@gatehouse/database';
import type { JWK } from 'jose';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The signed state of a chain. The broker keeps it too, out of reach of anyone with write access to the log's
 * database.
 */
export class Checkpoint {
  @Text({ max: 36 }) chain!: string;
  @Whole({ min: 1, max: Number.MAX_SAFE_INTEGER }) length!: number;
  @Text({ max: 64 }) head!: string;
  @Text({ max: 40 }) signedAt!: string;
  /** Compact JWS (EdDSA) whose payload is the canonical JSON of the members above. */
  @Text({ max: 2000 }) jws!: string;
}

/** A signed statement of a chain's length and head. The table is append-only. */
@Entity('checkpoints')
export class CheckpointEntity {
  @PrimaryColumn('text') chain!: string;
  @PrimaryColumn('bigint') length!: number;
  @Column('uuid', { nullable: true }) partnerId!: string | null;
  @Column('text') head!: string;
  @Column('timestamptz') signedAt!: Date;
  @Column('text') jws!: string;
}

/** A key that signs checkpoints. Old ones stay, because their checkpoints stay. */
@Entity('checkpoint_keys')
export class CheckpointKeyEntity {
  @PrimaryColumn('text') kid!: string;
  @Column('jsonb') publicJwk!: JWK;
  @Column('text') sealedPrivateJwk!: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt!: Date;
}

export interface StoredKey {
  readonly kid: string;
  readonly publicJwk: JWK;
  readonly sealedPrivateJwk: string;
}

const ADD = 'INSERT INTO checkpoints (chain, length, partner_id, head, signed_at, jws) VALUES ($1, $2, $3, $4, $5, $6)';
const OF_CHAIN = `SELECT chain, length, head, signed_at, jws FROM checkpoints
  WHERE chain = $1 AND length > $2 AND length <= $3 ORDER BY length`;
const LAST = 'SELECT coalesce(max(length), 0)::bigint AS length FROM checkpoints WHERE chain = $1';
const KEYS = 'SELECT kid, public_jwk, sealed_private_jwk FROM checkpoint_keys ORDER BY created_at, kid';
const LOCK_KEYS = 'LOCK TABLE checkpoint_keys IN SHARE ROW EXCLUSIVE MODE';
const ADD_KEY = 'INSERT INTO checkpoint_keys (kid, public_jwk, sealed_private_jwk) VALUES ($1, $2, $3)';

export class CheckpointsRepository {
  async add(tx: Tx, partnerId: string | null, { chain, length, head, signedAt, jws }: Checkpoint): Promise<void> {
    await tx.query(ADD, [chain, length, partnerId, head, signedAt, jws]);
  }

  /** The checkpoints for lengths after `after` up to `upTo`, in the order of their creation. */
  async ofChain(reader: Reader, chain: string, after = 0, upTo = Number.MAX_SAFE_INTEGER): Promise<Checkpoint[]> {
    const rows = await reader.query<Omit<Checkpoint, 'signedAt'> & { signedAt: Date }>(OF_CHAIN, [chain, after, upTo]);
    return rows.map((row) => ({ ...row, signedAt: row.signedAt.toISOString() }));
  }

  /** The number of entries that the newest checkpoint of the chain covers. */
  async lastLength(reader: Reader, chain: string): Promise<number> {
    const last = await reader.one<{ length: number }>(LAST, [chain]);
    return last?.length ?? 0;
  }

  /** Oldest first. */
  keys(reader: Reader): Promise<StoredKey[]> {
    return reader.query<StoredKey>(KEYS);
  }

  /** Serialises replicas that start at the same time. */
  async lockKeys(tx: Tx): Promise<void> {
    await tx.query(LOCK_KEYS);
  }

  async addKey(tx: Tx, { kid, publicJwk, sealedPrivateJwk }: StoredKey): Promise<void> {
    await tx.query(ADD_KEY, [kid, JSON.stringify(publicJwk), sealedPrivateJwk]);
  }
}
