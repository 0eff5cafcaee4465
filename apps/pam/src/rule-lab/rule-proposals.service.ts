import type { UserCaller } from '@gatehouse/contracts-core';
import type { CreateRuleDto, ElevationStatus, RuleProposalRecord, Verdict } from '@gatehouse/contracts-pam';
import { type Reader, UnitOfWork } from '@gatehouse/database';
import {
  type Finding,
  Preview,
  type Proposal,
  proposalsOf,
  type ProposedRule,
  type ToolCatalog,
} from '@gatehouse/pam-domain';
import type { OrgOfPartner } from '@gatehouse/pam-store';
import { Inject, Injectable } from '@nestjs/common';
import { ExplainedRequestsRepository, observationOf } from '../requests/explained-requests.repository.ts';
import { requireReach } from '../requests/request-problems.ts';
import { RuleLinter } from '../rules/rule-linter.ts';
import { type HistoryEntry, HistoryRepository } from './history.repository.ts';
import { type HistoryPage, scanHistory } from './scan-history.ts';
import { NEW_RULE } from '../rules/vetted-rule.ts';
import { TOOL_CATALOG } from '../settings/tools.service.ts';

interface Measured {
  readonly orgId: string;
  readonly matched30d: number;
  readonly findings: readonly Finding[];
}

/** The draft without criteria that are not set. */
function draftOf({ name, verdict, expiresAt, ...criteria }: ProposedRule, orgId: string): CreateRuleDto {
  const set = Object.fromEntries(Object.entries(criteria).filter(([, value]) => value !== null));
  return { orgId, name, verdict, ...set, ...(expiresAt && { expiresAt: expiresAt.toISOString() }) };
}

const proposalView = (
  { level, rule, why, whyNot }: Proposal,
  { orgId, matched30d, findings }: Measured,
): RuleProposalRecord => ({
  level,
  rule: rule && draftOf(rule, orgId),
  why,
  whyNot,
  matched30d,
  findings: [...findings],
});

const WINDOW_DAYS = 30;

const VERDICT_AFTER: Readonly<Partial<Record<ElevationStatus, Verdict>>> = {
  approved: 'auto_approve',
  auto_approved: 'auto_approve',
  denied: 'auto_deny',
};

@Injectable()
export class RuleProposalsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly requests: ExplainedRequestsRepository,
    private readonly history: HistoryRepository,
    private readonly linter: RuleLinter,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
  ) {}

  /** Proposes rules of three widths that a request can become (PAM-249). It changes nothing. */
  proposeRules(caller: UserCaller, id: string, wanted: Verdict | undefined): Promise<RuleProposalRecord[]> {
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
