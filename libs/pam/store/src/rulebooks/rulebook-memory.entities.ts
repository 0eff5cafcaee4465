import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RulebookPartKind } from './rulebook-memory.repository.ts';

/** One state of one part of a rulebook, from the version with which it began to the one with which it ended. */
@Entity('rulebook_parts')
export class RulebookPartEntity {
  @PrimaryColumn('text') kind!: RulebookPartKind;
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  /** Null for a part of every organisation of the partner. */
  @Column('uuid', { nullable: true }) orgId!: string | null;
  /** The row of the part's table. */
  @Column('jsonb') value!: object;
  @Column('uuid', { nullable: true }) editedBy!: string | null;
  /** Whose work the change was besides: authors of applied replays, editors of the sources of copies. */
  @Column('uuid', { array: true, default: () => "'{}'::uuid[]" }) alsoBy!: string[];
  /** Whose work the end of the state is beside. */
  @Column('uuid', { array: true, default: () => "'{}'::uuid[]" }) endedAlsoBy!: string[];
  /** The user who changed or deleted the part, which ended this state. */
  @Column('uuid', { nullable: true }) endedBy!: string | null;
  @PrimaryColumn('timestamptz') validFrom!: Date;
  @Column('timestamptz', { default: () => "'infinity'::timestamptz" }) validTo!: Date;
}

/** When a version of an organisation's rulebook began. */
@Entity('rulebook_instants')
export class RulebookInstantEntity {
  @PrimaryColumn('uuid') orgId!: string;
  @PrimaryColumn('bigint') version!: number;
  @Column('uuid') partnerId!: string;
  @Column('timestamptz') at!: Date;
}
