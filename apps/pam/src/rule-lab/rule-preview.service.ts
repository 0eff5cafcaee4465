import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { PreviewResponse, PreviewRuleDto, SimulateRuleDto, SimulationResponse } from '@gatehouse/contracts-pam';
import { type Reader, type Tx, UnitOfWork } from '@gatehouse/database';
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
import { type Organization, OrganizationsRepository } from '../tenants/organizations.repository.ts';
import { isAbove } from '../tenants/owners.ts';
import { type Candidate, Candidates, namesOf, type Plan, requireSeen } from './candidates.ts';
import { lintOf } from './lint-candidate.ts';
import { summaryOf } from './replay-summary.ts';
import { problemOfDraft, ruleChangesOf, type StoredChange } from './rule-changes.ts';
import { type HistoryPage, scanHistory, Turns } from './scan-history.ts';
import { ruleProblem } from '../rules/vetted-rule.ts';
import { SignerGroupsRepository } from '../rules/signer-groups.repository.ts';
import { TOOL_CATALOG } from '../settings/tools.service.ts';
import { type HistoryEntry, HistoryRepository, type HistoryWindow } from './history.repository.ts';
import { Simulation } from './simulation.ts';

/** The most requests that a simulation reads. */
const MAX_SCANNED = 50_000;

/** A row may have 32 KB, so pages are kept small. */
const PAGE = 200;

/** Matching yields to other requests on the event loop after this many milliseconds. */
const TURN_MS = 5;

interface Prepared {
  readonly orgId: string;
  readonly plan: Plan;
  readonly candidate: Candidate;
}

/** The draft as the change of a rule set: a new rule, or all members of a known one. */
function changeOf({ rule, ruleId }: SimulateRuleDto, orgId: string): StoredChange {
  if (!ruleId) return ruleChangesOf([{ op: 'add', ref: 'draft', rule }], orgId)[0]!;
  const { orgId: _, ...patch } = rule;
  return ruleChangesOf([{ op: 'update', ruleId, patch }], orgId)[0]!;
}

const draftIdOf = ({ changes: [change] }: Plan): string =>
  change?.op === 'add' ? change.id : change?.op === 'update' ? change.ruleId : '';

@Injectable()
export class RulePreviewService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly signerGroups: SignerGroupsRepository,
    private readonly history: HistoryRepository,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
    private readonly candidates: Candidates,
  ) {}

  /** Shows which past requests a draft rule would have matched. It changes nothing. */
  previewRule(
    caller: UserCaller,
    { windowDays, flowType, orgId, ...criteria }: PreviewRuleDto,
  ): Promise<PreviewResponse> {
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

  /** Replays past requests with and without one draft rule, at once (PAM-244). It changes nothing. */
  async simulateRule(caller: UserCaller, draft: SimulateRuleDto): Promise<SimulationResponse> {
    const { orgId, plan, candidate } = await this.work
      .run(caller, (tx) => this.prepare(tx, caller, draft))
      .catch((error: unknown) => {
        throw problemOfDraft(error);
      });
    const { windowDays, flowType } = draft;
    const refs = namesOf(plan);
    const simulation = new Simulation(candidate, draftIdOf(plan), refs);
    const turns = new Turns(TURN_MS, 0);
    const truncated = await this.scan(caller, { orgId, windowDays, flowType, limit: PAGE }, simulation, turns);
    const { devices, tally } = simulation;
    const lint = await lintOf(candidate, { catalog: this.catalog, refs, turns, scope: caller.scope });
    const told = { refs, truncated, devicesAffected: devices.size, lint };
    const { perDay, takenBy, sample } = simulation;
    return { success: true, summary: summaryOf(tally, told), perDay, takenBy, sample };
  }

  private async prepare(tx: Tx, caller: UserCaller, draft: SimulateRuleDto): Promise<Prepared> {
    const organization = await this.organizations.resolve(tx, caller, draft.orgId);
    const { userId, name, email } = caller;
    const changes = [changeOf(draft, organization.orgId)];
    const plan = { changes, defaultUnmatchedVerdict: null, authors: [{ userId, name, email }] };
    const candidate = await this.candidates.hold(tx, organization, plan);
    requireSeen(caller, plan, candidate.standing);
    return { orgId: organization.orgId, plan, candidate };
  }

  /** @returns whether requests remain beyond the limits */
  private async scan(
    caller: UserCaller,
    window: HistoryWindow,
    simulation: Simulation,
    turns: Turns,
  ): Promise<boolean> {
    let before: string | undefined;
    const read = (limit: number) =>
      this.work.read(caller, (reader) => this.history.page(reader, caller.scope, { ...window, before, limit }));
    while (simulation.tally.scanned < MAX_SCANNED) {
      const page = await read(PAGE);
      for (const entry of page) {
        simulation.scan(entry);
        await turns.next();
      }
      if (page.length < PAGE) return false;
      if (simulation.isExhausted) return true;
      before = page.at(-1)?.id;
    }
    return (await read(1)).length > 0;
  }
}
