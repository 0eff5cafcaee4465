import type { Tx } from '@gatehouse/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RulebookVersion } from './rulebook-versions.repository.ts';

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

/** The kinds of parts of a rulebook, each with its table and the column that identifies a part. */
export const RULEBOOK_PARTS = {
  rule: { table: 'pam_rules', id: 'id' },
  rule_opt_out: { table: 'pam_rule_opt_outs', id: 'id' },
  signer_group: { table: 'signer_groups', id: 'id' },
  software_policy: { table: 'software_policies', id: 'id' },
  config: { table: 'pam_config', id: 'org_id' },
  approval_policy: { table: 'pam_approval_policies', id: 'org_id' },
  justification_policy: { table: 'pam_justification_policies', id: 'org_id' },
  freeze: { table: 'pam_freezes', id: 'id' },
} as const;
export type RulebookPartKind = keyof typeof RULEBOOK_PARTS;

/** Parts that one person created, changed or deleted. */
export interface ChangedParts {
  readonly kind: RulebookPartKind;
  /** Settings have the id of their organisation. */
  readonly ids: readonly string[];
  /** The user who made the change; null for the system. */
  readonly editedBy: string | null;
  /** Whose work the change is besides; they are editors as well. */
  readonly alsoBy?: readonly string[];
}

// Read after the locks are held, and never before the latest instant of these organisations: versions and instants have
// one order even if the clock is set back.
const BEGIN_VERSIONS = `
  WITH changed AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bigint[]) AS c(org_id, partner_id, version)
  ), latest AS (
    SELECT max(i.at) AS at FROM changed c CROSS JOIN LATERAL (SELECT at FROM rulebook_instants WHERE org_id = c.org_id
      ORDER BY version DESC LIMIT 1) i
  ), instant AS MATERIALIZED (
    SELECT greatest(clock_timestamp(), l.at + interval '1 microsecond') AS at FROM latest l
  ), begun AS (
    INSERT INTO rulebook_instants (org_id, partner_id, version, at) SELECT c.org_id, c.partner_id, c.version, i.at
      FROM changed c, instant i
  )
  SELECT i.at::text AS at FROM instant i`;

const END_STATES = `
  UPDATE rulebook_parts SET valid_to = $3::timestamptz, ended_by = $4::uuid, ended_also_by = $5::uuid[] WHERE kind = $1 AND id = ANY ($2::uuid[])
    AND valid_to = 'infinity'`;

const beginStates = ({ table, id }: { table: string; id: string }): string => `
  INSERT INTO rulebook_parts (kind, id, partner_id, org_id, value, edited_by, also_by, valid_from)
  SELECT $1, t.${id}, t.partner_id, t.org_id, to_jsonb(t), $4, $5::uuid[], $3::timestamptz FROM ${table} t
    WHERE t.${id} = ANY ($2::uuid[])`;

/**
 * Records when versions began. Call it while their rulebooks are locked.
 * @returns the instant, as text, because a date would lose its microseconds
 */
export async function beginVersions(tx: Tx, versions: readonly RulebookVersion[]): Promise<string> {
  const row = await tx.one<{ at: string }>(BEGIN_VERSIONS, [
    versions.map(({ orgId }) => orgId),
    versions.map(({ partnerId }) => partnerId),
    versions.map(({ version }) => version),
  ]);
  if (!row) throw new Error('a version of a rulebook began at no instant');
  return row.at;
}

/** Ends the former states of the parts and begins their present ones; deleted parts have none. */
export async function rememberParts(
  tx: Tx,
  { kind, ids, editedBy, alsoBy = [] }: ChangedParts,
  at: string,
): Promise<void> {
  await tx.query(END_STATES, [kind, ids, at, editedBy, alsoBy]);
  await tx.query(beginStates(RULEBOOK_PARTS[kind]), [kind, ids, at, editedBy, alsoBy]);
}
