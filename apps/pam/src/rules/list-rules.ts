import { pageNamedBy, type UserCaller } from '@gatehouse/contracts-core';
import type { OrgListQuery, RulesResponse } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import type { ToolCatalog } from '@gatehouse/pam-domain';
import { Inject, Injectable } from '@nestjs/common';
import { OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { paginationOf } from '../paging/list-answer.ts';
import { TOOL_CATALOG } from '../tools/tool-catalog.provider.ts';
import { listedRule } from './rule.view.ts';
import { RulesRepository } from './rules.repository.ts';

@Injectable()
export class ListRules {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly rules: RulesRepository,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
  ) {}

  /** @throws ProblemError org_required, organization_not_found */
  execute(caller: UserCaller, { orgId, ...paging }: OrgListQuery): Promise<RulesResponse> {
    const page = pageNamedBy(paging);
    return this.work.read(caller, async (reader) => {
      const organization = await this.organizations.resolve(reader, caller, orgId);
      const { rows, total } = await this.rules.list(reader, caller.scope, organization.orgId, page);
      return { success: true, rules: rows.map((row) => listedRule(row, this.catalog)), ...paginationOf(page, total) };
    });
  }
}
