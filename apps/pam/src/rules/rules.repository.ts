import { type Page, type PageQuery, ProblemError, type TenantScope } from '@gatehouse/contracts-core';
import { CRITERION_FIELDS } from '@gatehouse/contracts-pam';
import { Conditions, type Reader, scoped, toSnake, type Tx } from '@gatehouse/database';
import type { Placed } from '@gatehouse/pam-domain';
import { isLateEdit, PamRuleEntity, RULE_USE, type RulebookOwner } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { readList } from '../pages.repository.ts';
import { HiddenOrganizationsRepository, ofReadable, outside } from '../tenants/hidden-organizations.repository.ts';
import { type Organization, ownedInReach } from '../tenants/organizations.repository.ts';

export interface RuleRow extends Omit<PamRuleEntity, 'updatedBy' | 'expiryNotices' | 'partnerGroupId'> {
  readonly createdByName: string | null;
}

/** A rule of one organisation. */
export interface OwnRuleRow extends RuleRow {
  readonly orgId: string;
}

/** A rule with its use, as lists show it. */
export interface ListedRow extends RuleRow {
  readonly updatedBy: string | null;
  readonly lastMatchedAt: Date | null;
  readonly matches30d: number;
}

/** An opt-out that ended, of this organisation. */
export interface EndedOptOut {
  readonly id: string;
  readonly orgId: string;
  readonly partnerId: string;
}

/** The fields of a rule that are set, all of which carry authority. */
export const RULE_FIELDS = [
  'name',
  'description',
  'verdict',
  'priority',
  'enabled',
  'siteId',
  ...Object.values(CRITERION_FIELDS),
  'matchNegate',
  'timeWindow',
  'approvalDurationMinutes',
  'mode',
  'expiresAt',
  'precedence',
  'optOut',
] as const satisfies readonly (keyof RuleRow)[];
export type RuleValues = Pick<RuleRow, (typeof RULE_FIELDS)[number]>;

export interface NewRule {
  readonly id: string;
  readonly createdBy: string;
  readonly fromRequestId?: string | null;
  readonly values: RuleValues;
}

const IDENTITY = ['id', 'orgId', 'partnerId', 'createdBy', 'fromRequestId'] as const;
const placeholders = (count: number, after: number): string =>
  Array.from({ length: count }, (_, at) => `$${after + at + 1}`).join(', ');
const AUTHOR = '(SELECT t.name FROM technician_ref t WHERE t.user_id = created_by) AS created_by_name';
const COLUMNS = [
  ...[...IDENTITY, ...RULE_FIELDS, 'shadowSince', 'version', 'createdAt', 'updatedAt'].map(toSnake),
  AUTHOR,
].join(', ');
const useOf = (match: string): string => `
  (SELECT max(u.last_matched_at) FROM ${RULE_USE} u WHERE ${match}) AS last_matched_at,
  (SELECT coalesce(sum(u.matches), 0)::int FROM ${RULE_USE} u WHERE ${match}
    AND u.day > (now() AT TIME ZONE 'UTC')::date - 30) AS "matches30d"`;
/** The columns of lists. @param match the condition of the rows `u` of a rule's use that are counted */
export const listedColumns = (match = 'u.rule_id = pam_rules.id'): string => `${COLUMNS}, updated_by, ${useOf(match)}`;
export const RULE_ORDER = 'priority, created_at, id';
const valueAt = (member: (typeof RULE_FIELDS)[number], before: number): string =>
  `$${before + RULE_FIELDS.indexOf(member) + 1}`;
const INSERT = `INSERT INTO pam_rules (${[...IDENTITY, ...RULE_FIELDS].map(toSnake).join(', ')}, shadow_since)
  VALUES (${placeholders(IDENTITY.length + RULE_FIELDS.length, 0)}, CASE WHEN ${valueAt('mode', IDENTITY.length)} = 'shadow'
  THEN now() END) RETURNING ${COLUMNS}`;
const UPDATE = `UPDATE pam_rules SET (${RULE_FIELDS.map(toSnake).join(', ')}) = ROW (${placeholders(RULE_FIELDS.length, 2)}),
  shadow_since = CASE WHEN ${valueAt('mode', 2)} = 'shadow' THEN coalesce(shadow_since, now())
  END, updated_by = $2, expiry_notices = CASE WHEN expires_at IS NOT DISTINCT FROM ${valueAt('expiresAt', 2)}
  THEN expiry_notices ELSE 0 END, version = version + 1, updated_at = now() WHERE id = $1 RETURNING ${COLUMNS}`;

const PLACE = `
  UPDATE pam_rules r SET priority = p.priority, updated_by = $3, version = r.version + 1, updated_at = now()
    FROM unnest($1::uuid[], $2::integer[]) AS p (id, priority) WHERE r.id = p.id`;

const LATE_EDITORS = `SELECT DISTINCT b.user_id FROM rulebook_parts e, unnest(e.also_by || e.edited_by) AS b (user_id)
  WHERE e.kind = 'rule' AND e.id = $1 AND ${isLateEdit('e')}`;

/** As many as one answer holds. */
const MAX_EXPIRING = 10_000;

const valuesOf = (values: RuleValues) => RULE_FIELDS.map((field) => values[field]);

/** Site-confined callers also see the rules of the whole organisation and of the partner. */
export const atSites = (within: Conditions, { sites }: TenantScope): Conditions =>
  sites === 'all' ? within : within.add('(site_id IS NULL OR site_id = ANY (?::uuid[]))', [...sites]);
export const foreignGroupProblem = (): ProblemError =>
  new ProblemError('signer_group_not_in_org', 'The signer group does not belong to the owner of the rule.');

const isOwn = <T extends RuleRow>(rule: T): rule is T & OwnRuleRow => rule.orgId !== null;

/** The values of a rule, without what the product adds. */
export const ruleValuesOf = (row: RuleRow): RuleValues =>
  Object.fromEntries(RULE_FIELDS.map((field) => [field, row[field]])) as Readonly<Record<string, unknown>> & RuleValues;

@Injectable()
export class RulesRepository {
  constructor(private readonly hidden: HiddenOrganizationsRepository) {}

  /** Lists rules in the order of evaluation; site-confined callers also see the rules of the whole organisation. */
  list(
    reader: Reader,
    scope: TenantScope,
    orgId: string,
    page: PageQuery | null,
  ): Promise<Page<ListedRow & OwnRuleRow>> {
    const within = atSites(new Conditions().add('org_id = ?', orgId), scope);
    return readList<ListedRow & OwnRuleRow>(
      reader,
      { columns: listedColumns(), from: 'pam_rules', order: RULE_ORDER },
      within,
      page,
    );
  }

  /** Lists enabled rules that end from now until an instant, outside organisations that no list shows. */
  async expiring(
    reader: Reader,
    scope: TenantScope,
    { before, orgId }: { readonly before: string; readonly orgId?: string | undefined },
    page: PageQuery | null,
  ): Promise<Page<ListedRow>> {
    const within = scoped(scope, { partner: 'partner_id', org: 'org_id' })
      .add('org_id = ?', orgId)
      .add('expires_at < ?', before)
      .raw('enabled AND expires_at > now()');
    const where = outside(atSites(within, scope), 'org_id', await this.hidden.ids(reader, scope));
    const sql = { columns: listedColumns(), from: 'pam_rules', order: 'expires_at, id', most: MAX_EXPIRING };
    return readList<ListedRow>(reader, sql, where, page);
  }

  /** Reads a rule of an organisation that {@link list} would show. */
  async find(reader: Reader, scope: TenantScope, id: string): Promise<(ListedRow & OwnRuleRow) | null> {
    const rule = await this.findOfAny(reader, scope, id);
    return rule && isOwn(rule) ? rule : null;
  }

  /** Reads a rule of an organisation, as {@link find}, or of the partner. */
  findOfAny(reader: Reader, scope: TenantScope, id: string): Promise<ListedRow | null> {
    const within = atSites(ownedInReach(scope), scope).add('id = ?', id).raw(ofReadable(scope, 'pam_rules.org_id'));
    return reader.one<ListedRow>(`SELECT ${listedColumns()} FROM pam_rules ${within.where}`, within.parameters);
  }

  /** Every rule of an organisation, the oldest first. */
  byAge(reader: Reader, { orgId }: Pick<Organization, 'orgId'>): Promise<OwnRuleRow[]> {
    return reader.query<OwnRuleRow>(`SELECT ${COLUMNS} FROM pam_rules WHERE org_id = $1 ORDER BY created_at, id`, [
      orgId,
    ]);
  }

  /** Reads the rule and locks its row until the transaction ends. */
  lock(tx: Tx, scope: TenantScope, id: string): Promise<RuleRow | null> {
    const within = ownedInReach(scope).add('id = ?', id);
    return tx.one<RuleRow>(`SELECT ${COLUMNS} FROM pam_rules ${within.where} FOR UPDATE`, within.parameters);
  }

  /**
   * Locks the rules of an organisation. Call it before you lock the rulebook: a change of one rule takes its locks in
   * this order, and another order could deadlock with it.
   */
  async lockAllOf(tx: Tx, orgId: string): Promise<void> {
    await tx.query('SELECT FROM pam_rules WHERE org_id = $1 ORDER BY id FOR UPDATE', [orgId]);
  }

  async insert(
    tx: Tx,
    { orgId, partnerId }: RulebookOwner,
    { id, createdBy, fromRequestId = null, values }: NewRule,
  ): Promise<RuleRow> {
    const [row] = await tx.query<RuleRow>(INSERT, [
      id,
      orgId,
      partnerId,
      createdBy,
      fromRequestId,
      ...valuesOf(values),
    ]);
    return row!;
  }

  /** Call this only for a rule read by {@link lock}. */
  async update(tx: Tx, id: string, { values, updatedBy }: { values: RuleValues; updatedBy: string }): Promise<RuleRow> {
    const [row] = await tx.query<RuleRow>(UPDATE, [id, updatedBy, ...valuesOf(values)]);
    return row!;
  }

  /** The author of a rule, and the users who changed it so lately that they count as editors. */
  async editorsOf(tx: Tx, { id, createdBy }: RuleRow): Promise<string[]> {
    const late = await tx.query<{ userId: string }>(LATE_EDITORS, [id]);
    return [...new Set([...(createdBy === null ? [] : [createdBy]), ...late.map(({ userId }) => userId)])];
  }

  /**
   * The foreign key of rules keeps those of an organisation to its own signer groups; this does it for the partner's.
   */
  async requirePartnerGroup(tx: Tx, { orgId, partnerId }: RulebookOwner, groupId: string | null): Promise<void> {
    if (orgId !== null || groupId === null) return;
    const sql = 'SELECT FROM signer_groups WHERE id = $1 AND partner_id = $2 AND org_id IS NULL';
    if (!(await tx.one(sql, [groupId, partnerId]))) throw foreignGroupProblem();
  }

  /** Sets the priorities of rules of one organisation. */
  async place(tx: Tx, placed: readonly Placed[], updatedBy: string): Promise<void> {
    await tx.query(PLACE, [placed.map(({ id }) => id), placed.map(({ priority }) => priority), updatedBy]);
  }

  /** Call this only for rules whose rulebook is locked. */
  async deleteAll(tx: Tx, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await tx.query('DELETE FROM pam_rules WHERE id = ANY ($1::uuid[])', [ids]);
  }

  async delete(tx: Tx, id: string): Promise<void> {
    await tx.manager.delete(PamRuleEntity, { id });
  }

  /** Ends the opt-outs of a rule that has become another one. */
  endOptOuts(tx: Tx, ruleId: string): Promise<EndedOptOut[]> {
    return tx.query<EndedOptOut>('DELETE FROM pam_rule_opt_outs WHERE rule_id = $1 RETURNING id, org_id, partner_id', [
      ruleId,
    ]);
  }

  /** Enabled rules with a risk tier, of every organisation, for the check at start-up. */
  tierPinned(reader: Reader): Promise<RuleRow[]> {
    return reader.query<RuleRow>(
      `SELECT ${COLUMNS} FROM pam_rules WHERE enabled AND match_risk_tier IS NOT NULL ORDER BY org_id, id`,
    );
  }
}

interface UsageRow {
  readonly ruleId: string;
  readonly matches: number;
  readonly lastMatchedAt: Date | null;
}

@Injectable()
export class RuleUsageRepository {
  /** The use of each rule within the days up to today, in the order of the rules. */
  usage(reader: Reader, { sites }: TenantScope, orgId: string, windowDays: number): Promise<UsageRow[]> {
    const where = new Conditions().add('r.org_id = ?', orgId);
    if (sites !== 'all') where.add('(r.site_id IS NULL OR r.site_id = ANY (?::uuid[]))', [...sites]);
    return reader.query<UsageRow>(
      `SELECT r.id AS rule_id, coalesce(u.matches, 0)::int AS matches, u.last_matched_at
         FROM pam_rules r
        CROSS JOIN LATERAL (SELECT sum(matches) AS matches, max(last_matched_at) AS last_matched_at FROM pam_rule_usage
                             WHERE rule_id = r.id
                               AND day > (now() AT TIME ZONE 'UTC')::date - ${where.bind(windowDays)}::integer) u
        ${where.where} ORDER BY r.priority, r.created_at, r.id`,
      where.parameters,
    );
  }
}

export interface ExpiringRule {
  readonly ruleId: string;
  readonly partnerId: string;
  readonly orgId: string;
  readonly expiresAt: Date;
  /** 1: seven days before, 2: one day before, 3: at the end. */
  readonly expiryNotices: number;
}

/** The most rules that one transaction gives notice of. */
export const NOTICE_BATCH = 200;

// A later notice takes the place of an earlier one that was never due: a rule for one hour has no notice of a week.
const DUE = `CASE WHEN expires_at <= now() THEN 3 WHEN expires_at <= now() + interval '1 day' THEN 2 ELSE 1 END`;

// Replicas sweep concurrently: SKIP LOCKED lets each take rows that no other holds.
const TAKE_DUE = `
  UPDATE pam_rules r SET expiry_notices = due.notice
    FROM (SELECT id, ${DUE} AS notice FROM pam_rules
           WHERE expires_at <= now() + interval '7 days' AND expiry_notices < 3 AND expiry_notices < ${DUE} AND enabled
           ORDER BY expires_at LIMIT ${NOTICE_BATCH} FOR UPDATE SKIP LOCKED) AS due
   WHERE r.id = due.id
  RETURNING r.id AS rule_id, r.partner_id, r.org_id, r.expires_at, r.expiry_notices`;

@Injectable()
export class RuleExpiryRepository {
  /** Marks the rules of which notice is due by the database's clock, and returns them. */
  takeDue(tx: Tx): Promise<ExpiringRule[]> {
    return tx.query<ExpiringRule>(TAKE_DUE);
  }
}
