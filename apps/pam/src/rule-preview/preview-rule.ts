import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { PreviewResponse, PreviewRuleDto } from '@gatehouse/contracts-pam';
import { type Reader, UnitOfWork } from '@gatehouse/database';
import {
  checkRuleShape,
  NO_CRITERIA,
  normaliseCriteria,
  Preview,
  type RuleCriteria,
  type SignerGroups,
  type ToolCatalog,
} from '@gatehouse/pam-domain';
import { Inject, Injectable } from '@nestjs/common';
import { type Organization, OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { isAbove } from '../organizations/owners.ts';
import { SignerGroupsRepository } from '../signer-groups/signer-groups.repository.ts';
import { TOOL_CATALOG } from '../tools/tool-catalog.provider.ts';
import { type HistoryEntry, HistoryRepository } from './history.repository.ts';
import { type HistoryPage, scanHistory } from './scan-history.ts';
import { ruleProblem } from '../rules/vetted-rule.ts';

/** Shows which past requests a draft rule would have matched. It changes nothing. */
@Injectable()
export class PreviewRule {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly signerGroups: SignerGroupsRepository,
    private readonly history: HistoryRepository,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
  ) {}

  /**
   * @throws ProblemError org_required, organization_not_found, pam_rule_invalid, pam_rule_risk_tier_unreachable,
   * site_not_in_org, signer_group_not_in_org
   */
  execute(caller: UserCaller, { windowDays, flowType, orgId, ...criteria }: PreviewRuleDto): Promise<PreviewResponse> {
    const given = Object.fromEntries(Object.entries(criteria).filter(([, value]) => value !== undefined));
    const draft = normaliseCriteria<RuleCriteria>({ ...NO_CRITERIA, ...given });
    const fault = checkRuleShape({ ...draft, verdict: 'require_approval' }, this.catalog);
    if (fault) throw ruleProblem(fault);
    return this.work.read(caller, async (reader) => {
      const organization = await this.organizations.resolve(reader, caller, orgId);
      await this.organizations.requireOwnSite(reader, organization, draft.siteId);
      const preview = new Preview<HistoryEntry>(draft, await this.groupsOf(reader, caller, organization, draft));
      const window = { orgId: organization.orgId, flowType, windowDays };
      const pages = (page: HistoryPage) => this.history.page(reader, caller.scope, { ...window, ...page });
      const truncated = await scanHistory(pages, [preview]);
      const { totalMatched, totalScanned, statusBreakdown } = preview;
      const sample = preview.sample.map(({ id, requestedAt, flowType: flow, status }) => ({
        id,
        requestedAt: requestedAt.toISOString(),
        flowType: flow,
        status,
      }));
      return { success: true, totalMatched, totalScanned, windowDays, truncated, statusBreakdown, sample };
    });
  }

  /** The signer group of the draft: the organisation's own, or for the partner's people the partner's. */
  private async groupsOf(
    reader: Reader,
    caller: UserCaller,
    organization: Organization,
    { matchSignerGroupId }: RuleCriteria,
  ): Promise<SignerGroups> {
    if (matchSignerGroupId === null) return new Map();
    const partner = { ...organization, orgId: null };
    const owners = isAbove(caller, partner) ? [organization] : [organization, partner];
    const lists = [];
    for (const owner of owners) lists.push(await this.signerGroups.list(reader, owner));
    const group = lists.flatMap(({ rows }) => rows).find(({ id }) => id === matchSignerGroupId);
    if (!group)
      throw new ProblemError('signer_group_not_in_org', 'The signer group does not belong to the organisation.');
    return new Map([[group.id, group.signers]]);
  }
}
