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
import { setImmediate as nextTurn } from 'node:timers/promises';
import { OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { SignerGroupsRepository } from '../signer-groups/signer-groups.repository.ts';
import { TOOL_CATALOG } from '../tools/tool-catalog.provider.ts';
import { type HistoryEntry, HistoryRepository, type HistoryWindow } from './history.repository.ts';
import { ruleProblem } from '../rules/vetted-rule.ts';

/** The most requests that a preview reads (decisions, "preview"). */
const MAX_SCANNED = 50_000;
/** A row may have 32 KB, so pages are kept small. */
const PAGE = 200;
/** Matching yields to other requests on the event loop after this many milliseconds. */
const TURN_MS = 5;

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
      const preview = new Preview<HistoryEntry>(draft, await this.groupsOf(reader, organization.orgId, draft));
      const truncated = await this.scan(
        reader,
        caller,
        { orgId: organization.orgId, flowType, windowDays, limit: PAGE },
        preview,
      );
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

  /** @returns whether requests remain beyond the preview's limits */
  private async scan(
    reader: Reader,
    caller: UserCaller,
    window: HistoryWindow,
    preview: Preview<HistoryEntry>,
  ): Promise<boolean> {
    let before: string | undefined;
    while (preview.totalScanned < MAX_SCANNED) {
      const page = await this.history.page(reader, caller.scope, { ...window, before });
      await scanYielding(page, preview);
      if (preview.isExhausted) return true;
      if (page.length < PAGE) return false;
      before = page.at(-1)?.id;
    }
    return (await this.history.page(reader, caller.scope, { ...window, before, limit: 1 })).length > 0;
  }

  private async groupsOf(reader: Reader, orgId: string, { matchSignerGroupId }: RuleCriteria): Promise<SignerGroups> {
    if (matchSignerGroupId === null) return new Map();
    const group = (await this.signerGroups.list(reader, orgId)).rows.find(({ id }) => id === matchSignerGroupId);
    if (!group)
      throw new ProblemError('signer_group_not_in_org', 'The signer group does not belong to the organisation.');
    return new Map([[group.id, group.signers]]);
  }
}

async function scanYielding(page: readonly HistoryEntry[], preview: Preview<HistoryEntry>): Promise<void> {
  let turnEndsAt = performance.now() + TURN_MS;
  for (const entry of page) {
    preview.scan(entry);
    if (performance.now() < turnEndsAt) continue;
    await nextTurn();
    turnEndsAt = performance.now() + TURN_MS;
  }
}
