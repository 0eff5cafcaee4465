import type { Page, PageQuery, TenantScope } from '@gatehouse/contracts-core';
import { Conditions, type Reader } from '@gatehouse/database';
import { MAY_BE_LEFT } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import type { Organization } from '../tenants/organizations.repository.ts';
import { readList } from '../pages.repository.ts';
import { atSites, listedColumns, type ListedRow, RULE_ORDER } from './rules.repository.ts';

/** A rule of the partner, and how many organisations have left it. */
export interface PartnerRow extends ListedRow {
  readonly optOuts: number;
}

/** A rule that reaches an organisation. */
export interface EffectiveRow extends ListedRow {
  readonly optedOut: boolean;
}

/** `before` comes first. */
const BY_PRECEDENCE = `precedence DESC, ${RULE_ORDER}`;
const OPT_OUTS = `(SELECT count(*)::int FROM pam_rule_opt_outs o WHERE o.rule_id = pam_rules.id
  AND ${MAY_BE_LEFT('pam_rules')}) AS opt_outs`;

/** The organisation is the first parameter of the statement. */
const OF_ORGANIZATION = 'u.rule_id = pam_rules.id AND u.org_id = $1::uuid';
const OPTED_OUT = `(${MAY_BE_LEFT('pam_rules')} AND EXISTS (SELECT FROM pam_rule_opt_outs o
  WHERE o.rule_id = pam_rules.id AND o.org_id = $1::uuid)) IS TRUE AS opted_out`;
const EFFECTIVE_ORDER = `CASE precedence WHEN 'before' THEN 1 WHEN 'after' THEN 3 ELSE 2 END, ${RULE_ORDER}`;

/** The rules of partners, and those that reach one organisation. */
@Injectable()
export class PartnerRulesRepository {
  /** Lists a partner's rules: those that come before those of organisations, then those that come after. */
  list(reader: Reader, partnerId: string, page: PageQuery | null): Promise<Page<PartnerRow>> {
    const within = new Conditions().add('partner_id = ?', partnerId).raw('org_id IS NULL');
    const columns = `${listedColumns()}, ${OPT_OUTS}`;
    return readList<PartnerRow>(reader, { columns, from: 'pam_rules', order: BY_PRECEDENCE }, within, page);
  }

  /** Lists the rules that reach an organisation in the order of evaluation, with those that it has left. */
  effective(
    reader: Reader,
    scope: TenantScope,
    { orgId, partnerId }: Organization,
    page: PageQuery | null,
  ): Promise<Page<EffectiveRow>> {
    const within = new Conditions();
    const [org, partner] = [within.bind(orgId), within.bind(partnerId)];
    within.raw(`(org_id = ${org} OR (org_id IS NULL AND partner_id = ${partner}))`);
    const columns = `${listedColumns(OF_ORGANIZATION)}, ${OPTED_OUT}`;
    const sql = { columns, from: 'pam_rules', order: EFFECTIVE_ORDER };
    return readList<EffectiveRow>(reader, sql, atSites(within, scope), page);
  }

  /** The opt-outs of a rule, which end with it. */
  async optOutsOf(reader: Reader, ruleId: string): Promise<string[]> {
    const rows = await reader.query<{ id: string }>('SELECT id FROM pam_rule_opt_outs WHERE rule_id = $1', [ruleId]);
    return rows.map(({ id }) => id);
  }
}
