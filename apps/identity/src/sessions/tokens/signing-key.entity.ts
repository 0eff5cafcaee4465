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
