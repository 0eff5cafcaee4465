import type { Reader, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { JWK } from 'jose';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key pair of access tokens. */
@Entity('signing_keys')
export class SigningKeyEntity {
  @PrimaryColumn('text') kid!: string;
  /** `next` is published but does not sign yet; `retiring` only verifies. */
  @Column('text') state!: 'next' | 'current' | 'retiring';
  @Column('jsonb') publicJwk!: JWK;
  @Column('text') privateSealed!: string;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) stateSince!: Date;
}

export type NewSigningKey = Pick<SigningKeyEntity, 'kid' | 'publicJwk' | 'privateSealed'> & {
  readonly state: 'current' | 'next';
};

const INSERT_IF_MISSING = `
  INSERT INTO signing_keys (kid, state, public_jwk, private_sealed) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`;
const NEXT_AGE = `SELECT extract(epoch FROM now() - state_since)::int AS seconds FROM signing_keys
  WHERE state = 'next'`;
const RETIRE = `UPDATE signing_keys SET state = 'retiring', state_since = now() WHERE state = 'current' AND kid = $1
  RETURNING kid`;
const PROMOTE = `UPDATE signing_keys SET state = 'current', state_since = now() WHERE state = 'next'`;
/** Access tokens stay valid for 15 minutes after their key stops signing; the rest allows for verifiers' clocks. */
const DELETE_RETIRED = `
  DELETE FROM signing_keys WHERE state = 'retiring' AND state_since < now() - interval '30 minutes' RETURNING kid`;
const DELETE_ALL = 'DELETE FROM signing_keys RETURNING kid';
const DUE = `SELECT kid FROM signing_keys WHERE state = 'current' AND state_since < now() - interval '90 days'`;

@Injectable()
export class SigningKeysRepository {
  list(reader: Reader): Promise<SigningKeyEntity[]> {
    return reader.manager.find(SigningKeyEntity, { order: { stateSince: 'ASC' } });
  }

  /** Stores the key unless there is one in this state. */
  async insertIfMissing(tx: Tx, { kid, state, publicJwk, privateSealed }: NewSigningKey): Promise<void> {
    await tx.query(INSERT_IF_MISSING, [kid, state, publicJwk, privateSealed]);
  }

  /** How many seconds ago the next key was published; 0 when there is none. */
  async ageOfNext(reader: Reader): Promise<number> {
    return (await reader.one<{ seconds: number }>(NEXT_AGE))?.seconds ?? 0;
  }

  /** @returns false when the key is not the current one (any more) */
  async retire(tx: Tx, kid: string): Promise<boolean> {
    return (await tx.one(RETIRE, [kid])) !== null;
  }

  async promoteNext(tx: Tx): Promise<void> {
    await tx.query(PROMOTE);
  }

  /**
   * Deletes the retired keys whose tokens have all expired.
   * @returns the ids of the deleted keys
   */
  async deleteRetired(tx: Tx): Promise<string[]> {
    return (await tx.query<{ kid: string }>(DELETE_RETIRED)).map(({ kid }) => kid);
  }

  /** @returns the ids of the deleted keys */
  async deleteAll(tx: Tx): Promise<string[]> {
    return (await tx.query<{ kid: string }>(DELETE_ALL)).map(({ kid }) => kid);
  }

  /** Tells whether the current key has signed for 90 days. */
  async isRotationDue(reader: Reader): Promise<boolean> {
    return (await reader.one(DUE)) !== null;
  }
}
