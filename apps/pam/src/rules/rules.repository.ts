import type { TenantScope } from '@gatehouse/contracts-core';
import { Conditions, type Reader, scoped, toSnake, type Tx } from '@gatehouse/database';
import { PamRuleEntity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import type { Organization } from '../organizations/organizations.repository.ts';

export type RuleRow = Omit<PamRuleEntity, 'mode' | 'shadowSince' | 'expiresAt' | 'updatedBy' | 'fromRequestId'>;

const INPUT = [
  'name',
  'description',
  'verdict',
  'priority',
  'enabled',
  'siteId',
  'matchSigner',
  'matchSignerGroupId',
  'matchHash',
  'matchPathGlob',
  'matchParentImage',
  'matchCommandLine',
  'matchUser',
  'matchAdGroup',
  'matchToolName',
  'matchRiskTier',
  'matchNegate',
  'timeWindow',
  'approvalDurationMinutes',
] as const satisfies readonly (keyof RuleRow)[];
export type RuleValues = Pick<RuleRow, (typeof INPUT)[number]>;

const IDENTITY = ['id', 'orgId', 'partnerId', 'createdBy'] as const;
const placeholders = (count: number, after: number): string =>
  Array.from({ length: count }, (_, at) => `$${after + at + 1}`).join(', ');
const COLUMNS = [...IDENTITY, ...INPUT, 'version', 'createdAt', 'updatedAt'].map(toSnake).join(', ');
const INSERT = `INSERT INTO pam_rules (${[...IDENTITY, ...INPUT].map(toSnake).join(', ')}) VALUES (${placeholders(IDENTITY.length + INPUT.length, 0)}) RETURNING ${COLUMNS}`;
const UPDATE = `UPDATE pam_rules SET (${INPUT.map(toSnake).join(', ')}) = ROW (${placeholders(INPUT.length, 2)}), updated_by = $2, version = version + 1, updated_at = now() WHERE id = $1 RETURNING ${COLUMNS}`;

const valuesOf = (values: RuleValues) => INPUT.map((field) => values[field]);

@Injectable()
export class RulesRepository {
  /** Lists rules in the order of evaluation; site-confined callers also see the rules of the whole organisation. */
  list(reader: Reader, { sites }: TenantScope, orgId: string): Promise<RuleRow[]> {
    const within = new Conditions().add('org_id = ?', orgId);
    if (sites !== 'all') within.add('(site_id IS NULL OR site_id = ANY (?::uuid[]))', [...sites]);
    return reader.query<RuleRow>(
      `SELECT ${COLUMNS} FROM pam_rules ${within.where} ORDER BY priority, created_at, id`,
      within.parameters,
    );
  }

  /** Reads the rule and locks its row until the transaction ends. */
  lock(tx: Tx, scope: TenantScope, id: string): Promise<RuleRow | null> {
    const within = scoped(scope, { partner: 'partner_id', org: 'org_id' }).add('id = ?', id);
    return tx.one<RuleRow>(`SELECT ${COLUMNS} FROM pam_rules ${within.where} FOR UPDATE`, within.parameters);
  }

  async insert(
    tx: Tx,
    { orgId, partnerId }: Organization,
    { id, createdBy, values }: { id: string; createdBy: string; values: RuleValues },
  ): Promise<RuleRow> {
    const [row] = await tx.query<RuleRow>(INSERT, [id, orgId, partnerId, createdBy, ...valuesOf(values)]);
    return row!;
  }

  /** Call this only for a rule read by {@link lock}. */
  async update(tx: Tx, id: string, { values, updatedBy }: { values: RuleValues; updatedBy: string }): Promise<RuleRow> {
    const [row] = await tx.query<RuleRow>(UPDATE, [id, updatedBy, ...valuesOf(values)]);
    return row!;
  }

  async delete(tx: Tx, id: string): Promise<void> {
    await tx.manager.delete(PamRuleEntity, { id });
  }

  /** Enabled rules with a risk tier, of every organisation, for the check at start-up. */
  tierPinned(reader: Reader): Promise<RuleRow[]> {
    return reader.query<RuleRow>(
      `SELECT ${COLUMNS} FROM pam_rules WHERE enabled AND match_risk_tier IS NOT NULL ORDER BY org_id, id`,
    );
  }
}
