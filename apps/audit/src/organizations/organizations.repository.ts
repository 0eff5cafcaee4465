import type { OrganizationState } from '@gatehouse/contracts-tenancy';
import type { Reader, Tx } from '@gatehouse/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the audit service knows about an organisation: its partner, and into which one it was merged. */
@Entity('org_ref')
export class OrgRefEntity {
  @PrimaryColumn('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid', { nullable: true }) mergedIntoId!: string | null;
  /** Of the organisation's state; an older event changes nothing. */
  @Column('bigint') version!: number;
}

const KEEP = `
  INSERT INTO org_ref AS known (org_id, partner_id, merged_into_id, version) VALUES ($1, $2, $3, $4)
  ON CONFLICT (org_id) DO UPDATE SET merged_into_id = EXCLUDED.merged_into_id, version = EXCLUDED.version
    WHERE known.version < EXCLUDED.version`;

const MERGED_INTO = `
  WITH RECURSIVE lineage AS (
    SELECT org_id FROM org_ref WHERE merged_into_id = ANY ($1::uuid[])
    UNION
    SELECT o.org_id FROM org_ref o JOIN lineage l ON o.merged_into_id = l.org_id
  )
  SELECT org_id FROM lineage`;

export class OrganizationsRepository {
  /** Keeps the state unless a newer one is known. */
  async keep(tx: Tx, { orgId, partnerId, mergedIntoId, version }: OrganizationState): Promise<void> {
    await tx.query(KEEP, [orgId, partnerId, mergedIntoId, version]);
  }

  find(reader: Reader, orgId: string): Promise<OrgRefEntity | null> {
    return reader.manager.findOneBy(OrgRefEntity, { orgId });
  }

  /** The organisations that were merged into one of these, also by way of others. */
  async mergedInto(reader: Reader, orgIds: readonly string[]): Promise<string[]> {
    const merged = await reader.query<{ orgId: string }>(MERGED_INTO, [orgIds]);
    return merged.map(({ orgId }) => orgId);
  }
}
