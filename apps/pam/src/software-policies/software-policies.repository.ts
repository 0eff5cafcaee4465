import type { Page, PageQuery, TenantScope } from '@gatehouse/contracts-core';
import { type Conditions, type Reader, type Tx } from '@gatehouse/database';
import { SoftwarePolicyEntity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { HiddenOrganizationsRepository, ofReadable, outside } from '../tenants/hidden-organizations.repository.ts';
import { ownedInReach } from '../tenants/organizations.repository.ts';
import { readList } from '../pages.repository.ts';

export type SoftwarePolicyRow = Omit<SoftwarePolicyEntity, 'createdBy'>;
export type SoftwarePolicyValues = Omit<SoftwarePolicyRow, 'id' | 'version' | 'createdAt' | 'updatedAt'>;

const COLUMNS = `id, partner_id, org_id, name, mode, priority, enabled, target_level, target_id, rules, version,
  created_at, updated_at`;
const INSERT = `
  INSERT INTO software_policies (id, created_by, partner_id, org_id, name, mode, priority, enabled, target_level,
    target_id, rules)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING ${COLUMNS}`;
const UPDATE = `
  UPDATE software_policies SET partner_id = $2, org_id = $3, name = $4, mode = $5, priority = $6, enabled = $7,
    target_level = $8, target_id = $9, rules = $10, version = version + 1, updated_at = now()
  WHERE id = $1 RETURNING ${COLUMNS}`;

const valuesOf = ({
  partnerId,
  orgId,
  name,
  mode,
  priority,
  enabled,
  targetLevel,
  targetId,
  rules,
}: SoftwarePolicyValues) =>
  // Serialised here: the driver would send an array as a PostgreSQL array.
  [partnerId, orgId, name, mode, priority, enabled, targetLevel, targetId, JSON.stringify(rules)];

const AT_SITES = `(target_level NOT IN ('site', 'device') OR target_id = ANY (?::uuid[])
  OR target_id IN (SELECT d.device_id FROM device_ref d WHERE d.site_id = ANY (?::uuid[])))`;

/**
 * Site-confined callers see the policies that apply at their sites, including those of the whole organisation (PAM-74).
 */
const readable = (scope: TenantScope): Conditions =>
  scope.sites === 'all' ? ownedInReach(scope) : ownedInReach(scope).add(AT_SITES, [...scope.sites]);

@Injectable()
export class SoftwarePoliciesRepository {
  constructor(private readonly hidden: HiddenOrganizationsRepository) {}

  /**
   * Lists policies in the order of evaluation. @param orgId restricts the list to policies that apply to this
   * organisation
   */
  async list(
    reader: Reader,
    scope: TenantScope,
    orgId: string | undefined,
    page: PageQuery | null,
  ): Promise<Page<SoftwarePolicyRow>> {
    const where = outside(readable(scope), 'org_id', await this.hidden.ids(reader, scope)).add(
      '(org_id = ? OR (org_id IS NULL AND partner_id = (SELECT o.partner_id FROM org_ref o WHERE o.org_id = ?)))',
      orgId,
    );
    const sql = { columns: COLUMNS, from: 'software_policies', order: 'priority, created_at, id' };
    return readList<SoftwarePolicyRow>(reader, sql, where, page);
  }

  find(reader: Reader, scope: TenantScope, id: string): Promise<SoftwarePolicyRow | null> {
    const where = readable(scope).add('id = ?', id).raw(ofReadable(scope, 'software_policies.org_id'));
    return reader.one<SoftwarePolicyRow>(`SELECT ${COLUMNS} FROM software_policies ${where.where}`, where.parameters);
  }

  /** Reads the policy and locks its row until the transaction ends. */
  lock(tx: Tx, scope: TenantScope, id: string): Promise<SoftwarePolicyRow | null> {
    const where = ownedInReach(scope).add('id = ?', id).raw(ofReadable(scope, 'software_policies.org_id'));
    return tx.one<SoftwarePolicyRow>(
      `SELECT ${COLUMNS} FROM software_policies ${where.where} FOR UPDATE`,
      where.parameters,
    );
  }

  async insert(
    tx: Tx,
    { id, createdBy }: { id: string; createdBy: string },
    values: SoftwarePolicyValues,
  ): Promise<SoftwarePolicyRow> {
    const [row] = await tx.query<SoftwarePolicyRow>(INSERT, [id, createdBy, ...valuesOf(values)]);
    return row!;
  }

  async update(tx: Tx, id: string, values: SoftwarePolicyValues): Promise<SoftwarePolicyRow> {
    const [row] = await tx.query<SoftwarePolicyRow>(UPDATE, [id, ...valuesOf(values)]);
    return row!;
  }

  async delete(tx: Tx, id: string): Promise<void> {
    await tx.manager.delete(SoftwarePolicyEntity, { id });
  }
}
