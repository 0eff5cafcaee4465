import type { JWK } from 'jose';
import { Column, Entity, PrimaryColumn } from 'typeorm';

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
