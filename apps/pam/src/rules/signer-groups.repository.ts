import type { Page, PageQuery, TenantScope } from '@gatehouse/contracts-core';
import { Conditions, type Reader, type Tx } from '@gatehouse/database';
import { type RulebookOwner, SignerGroupEntity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { ownedInReach } from '../tenants/organizations.repository.ts';
import { readList } from '../pages.repository.ts';

export type SignerGroupRow = Omit<SignerGroupEntity, 'createdBy'>;
export type SignerGroupValues = Pick<SignerGroupRow, 'name' | 'description' | 'signers'>;

const COLUMNS = 'id, org_id, partner_id, name, description, signers, version, created_at, updated_at';

@Injectable()
export class SignerGroupsRepository {
  list(
    reader: Reader,
    { orgId, partnerId }: RulebookOwner,
    page: PageQuery | null = null,
  ): Promise<Page<SignerGroupRow>> {
    const within = new Conditions().add('partner_id = ?', partnerId);
    if (orgId === null) within.raw('org_id IS NULL');
    else within.add('org_id = ?', orgId);
    const sql = { columns: COLUMNS, from: 'signer_groups', order: 'lower(name), id' };
    return readList<SignerGroupRow>(reader, sql, within, page);
  }

  /** Reads the group and locks its row until the transaction ends. */
  lock(tx: Tx, scope: TenantScope, id: string): Promise<SignerGroupRow | null> {
    const within = ownedInReach(scope).add('id = ?', id);
    return tx.one<SignerGroupRow>(`SELECT ${COLUMNS} FROM signer_groups ${within.where} FOR UPDATE`, within.parameters);
  }

  async insert(
    tx: Tx,
    { orgId, partnerId }: RulebookOwner,
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

  async countReferences(tx: Tx, { id }: SignerGroupRow): Promise<number> {
    const counted = await tx.one<{ count: number }>(
      'SELECT count(*) AS count FROM pam_rules WHERE match_signer_group_id = $1',
      [id],
    );
    return counted?.count ?? 0;
  }

  /** The ids of the rules that name the group. */
  async rulesWith(tx: Tx, { id }: SignerGroupRow): Promise<string[]> {
    const rows = await tx.query<{ id: string }>('SELECT id FROM pam_rules WHERE match_signer_group_id = $1', [id]);
    return rows.map((row) => row.id);
  }

  async delete(tx: Tx, id: string): Promise<void> {
    await tx.manager.delete(SignerGroupEntity, { id });
  }
}
