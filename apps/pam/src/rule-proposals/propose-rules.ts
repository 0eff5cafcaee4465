import type { UserCaller } from '@gatehouse/contracts-core';
import type { ElevationStatus, RuleProposalRecord, Verdict } from '@gatehouse/contracts-pam';
import { type Reader, UnitOfWork } from '@gatehouse/database';
import { type Finding, Preview, type Proposal, proposalsOf, type ToolCatalog } from '@gatehouse/pam-domain';
import type { OrgOfPartner } from '@gatehouse/pam-store';
import { Inject, Injectable } from '@nestjs/common';
import { ExplainedRequestsRepository, observationOf } from '../explanations/explained-requests.repository.ts';
import { requireReach } from '../request-states/request-problems.ts';
import { RuleLinter } from '../rule-lint/rule-linter.ts';
import { type HistoryEntry, HistoryRepository } from '../rule-preview/history.repository.ts';
import { type HistoryPage, scanHistory } from '../rule-preview/scan-history.ts';
import { NEW_RULE } from '../rules/vetted-rule.ts';
import { TOOL_CATALOG } from '../tools/tool-catalog.provider.ts';
import { proposalView } from './proposal.view.ts';

const WINDOW_DAYS = 30;

const VERDICT_AFTER: Readonly<Partial<Record<ElevationStatus, Verdict>>> = {
  approved: 'auto_approve',
  auto_approved: 'auto_approve',
  denied: 'auto_deny',
};

/** Proposes rules of three widths that a request can become (PAM-249). It changes nothing. */
@Injectable()
export class ProposeRules {
  constructor(
    private readonly work: UnitOfWork,
    private readonly requests: ExplainedRequestsRepository,
    private readonly history: HistoryRepository,
    private readonly linter: RuleLinter,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
  ) {}

  /** @throws ProblemError elevation_request_not_found, site_access_denied */
  execute(caller: UserCaller, id: string, wanted: Verdict | undefined): Promise<RuleProposalRecord[]> {
    return this.work.read(caller, async (reader) => {
      const request = requireReach(caller.scope, await this.requests.find(reader, caller.scope, id));
      const verdict = wanted ?? VERDICT_AFTER[request.cameTo] ?? 'require_approval';
      const proposals = proposalsOf(observationOf(request), { verdict, catalog: this.catalog, at: new Date() });
      const matched = await this.matchesOf(reader, caller, request.orgId, proposals);
      const findings = await this.findingsOf(reader, request, proposals);
      return proposals.map((proposal) =>
        proposalView(proposal, {
          orgId: request.orgId,
          matched30d: matched.get(proposal) ?? 0,
          findings: findings.filter(({ ruleId }) => ruleId === proposal.level),
        }),
      );
    });
  }

  private async matchesOf(
    reader: Reader,
    caller: UserCaller,
    orgId: string,
    proposals: readonly Proposal[],
  ): Promise<ReadonlyMap<Proposal, number>> {
    const previews = new Map(
      proposals.flatMap((each) => (each.rule ? [[each, new Preview<HistoryEntry>(each.rule, new Map())]] : [])),
    );
    const window = { orgId, windowDays: WINDOW_DAYS };
    const pages = (page: HistoryPage) => this.history.page(reader, caller.scope, { ...window, ...page });
    if (previews.size > 0) await scanHistory(pages, [...previews.values()]);
    return new Map([...previews].map(([proposal, { totalMatched }]) => [proposal, totalMatched]));
  }

  private async findingsOf(
    reader: Reader,
    organization: OrgOfPartner,
    proposals: readonly Proposal[],
  ): Promise<Finding[]> {
    const createdAt = new Date();
    const drafts = proposals.flatMap(({ level, rule }) =>
      rule ? [{ ...NEW_RULE, ...rule, id: level, createdAt }] : [],
    );
    if (drafts.length === 0) return [];
    return this.linter.findingsOfDrafts(reader, organization, { drafts, priority: NEW_RULE.priority });
  }
}
