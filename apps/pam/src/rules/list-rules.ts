import { invalid, pageNamedBy, type UserCaller } from '@gatehouse/contracts-core';
import type { ListedRuleRecord, RuleOrigin, RulesQuery, RulesResponse } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import type { ToolCatalog } from '@gatehouse/pam-domain';
import { Inject, Injectable } from '@nestjs/common';
import { OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { Owners } from '../organizations/owners.ts';
import { paginationOf } from '../paging/list-answer.ts';
import { TOOL_CATALOG } from '../tools/tool-catalog.provider.ts';
import { type EffectiveRow, PartnerRulesRepository } from './partner-rules.repository.ts';
import { listedRule, shownTo } from './rule.view.ts';
import { RulesRepository } from './rules.repository.ts';

const originOf = ({ precedence }: Pick<EffectiveRow, 'precedence'>): RuleOrigin =>
  precedence === null ? 'organization' : `partner_${precedence}`;

@Injectable()
export class ListRules {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly owners: Owners,
    private readonly rules: RulesRepository,
    private readonly partnerRules: PartnerRulesRepository,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
  ) {}

  /**
   * Lists the rules of an organisation, of a partner (`scope`), or all that reach an organisation (`effective`).
   * @throws ProblemError validation_failed, scope_denied, partner_required, partner_not_found, org_required,
   * organization_not_found
   */
  execute(caller: UserCaller, query: RulesQuery): Promise<RulesResponse> {
    if (!query.effective) return this.ofOwner(caller, query);
    if (query.scope === 'partner' || query.partnerId !== undefined)
      throw invalid('effective', 'is about the rules of an organisation');
    return this.effective(caller, query);
  }

  private ofOwner(caller: UserCaller, { scope, orgId, partnerId, ...paging }: RulesQuery): Promise<RulesResponse> {
    const page = pageNamedBy(paging);
    const named = { ...(scope && { ownerScope: scope }), ...(orgId && { orgId }), ...(partnerId && { partnerId }) };
    return this.work.read(caller, async (reader) => {
      const owner = await this.owners.requireReadable(reader, caller, named);
      const { rows, total } =
        owner.orgId === null
          ? await this.partnerRules.list(reader, owner.partnerId, page)
          : await this.rules.list(reader, caller.scope, owner.orgId, page);
      return { success: true, rules: rows.map((row) => listedRule(row, this.catalog)), ...paginationOf(page, total) };
    });
  }

  private effective(caller: UserCaller, { orgId, ...paging }: RulesQuery): Promise<RulesResponse> {
    const page = pageNamedBy(paging);
    return this.work.read(caller, async (reader) => {
      const organization = await this.organizations.resolve(reader, caller, orgId);
      const { rows, total } = await this.partnerRules.effective(reader, caller.scope, organization, page);
      const rules = rows.map((row) => this.effectiveView(caller, row));
      return { success: true, rules, ...paginationOf(page, total) };
    });
  }

  private effectiveView(caller: UserCaller, { optedOut, ...row }: EffectiveRow): ListedRuleRecord {
    return { ...shownTo(caller, listedRule(row, this.catalog)), origin: originOf(row), optedOut };
  }
}
