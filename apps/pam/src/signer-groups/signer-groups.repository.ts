import type { Page, PageQuery, TenantScope } from '@gatehouse/contracts-core';
import { Conditions, type Reader, scoped, type Tx } from '@gatehouse/database';
import { SignerGroupEntity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import type { Organization } from '../organizations/organizations.repository.ts';
import { readList } from '../paging/pages.repository.ts';

export type SignerGroupRow = Omit<SignerGroupEntity, 'createdBy'>;
export type SignerGroupValues = Pick<SignerGroupRow, 'name' | 'description' | 'signers'>;

const COLUMNS = 'id, org_id, partner_id, name, description, signers, version, created_at, updated_at';

@Injectable()
export class SignerGroupsRepository {
  list(reader: Reader, orgId: string, page: PageQuery | null = null): Promise<Page<SignerGroupRow>> {
    const within = new Conditions().add('org_id = ?', orgId);
    const sql = { columns: COLUMNS, from: 'signer_groups', order: 'lower(name), id' };
    return readList<SignerGroupRow>(reader, sql, within, page);
  }

  /** Reads the group and locks its row until the transaction ends. */
  lock(tx: Tx, scope: TenantScope, id: string): Promise<SignerGroupRow | null> {
    const within = scoped(scope, { partner: 'partner_id', org: 'org_id' }, [id]);
    return tx.one<SignerGroupRow>(
      `SELECT ${COLUMNS} FROM signer_groups WHERE id = $1 ${within.and} FOR UPDATE`,
      within.parameters,
    );
  }

  async insert(
    tx: Tx,
    { orgId, partnerId }: Organization,
    { id, createdBy }: { id: string; createdBy: string },
    { name, description, signers }: SignerGroupValues,
  ): Promise<SignerGroupRow> {
    const sql = `INSERT INTO signer_groups (id, org_id, partner_id, name, description, signers, created_by)
      VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${COLUMNS}`;
    const [row] = await tx.query<SignerGroupRow>(sql, [id, orgId, partnerId, name, description, signers, createdBy]);
    return row!;
  }

  async update(tx: Tx, id: string, { name, description, signers }: SignerGroupValues): Promise<SignerGroupRow> {
    const sql = `UPDATE signer_groups SET name = $2, description = $3, signers = $4, version = version + 1,
      updated_at = now() WHERE id = $1 RETURNING ${COLUMNS}`;
    const [row] = await tx.query<SignerGroupRow>(sql, [id, name, description, signers]);
    return row!;
  }

  async countReferences(tx: Tx, { id, orgId }: SignerGroupRow): Promise<number> {
    const counted = await tx.one<{ count: number }>(
      'SELECT count(*) AS count FROM pam_rules WHERE org_id = $1 AND match_signer_group_id = $2',
      [orgId, id],
    );
    return counted?.count ?? 0;
  }

  async delete(tx: Tx, id: string): Promise<void> {
    await tx.manager.delete(SignerGroupEntity, { id });
  }
}
