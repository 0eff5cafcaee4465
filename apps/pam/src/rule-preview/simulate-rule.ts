import type { UserCaller } from '@gatehouse/contracts-core';
import type { SimulateRuleDto, SimulationResponse } from '@gatehouse/contracts-pam';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import type { ToolCatalog } from '@gatehouse/pam-domain';
import { Inject, Injectable } from '@nestjs/common';
import { OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { type Candidate, Candidates, namesOf, type Plan, requireSeen } from '../rule-candidates/candidates.ts';
import { lintOf } from '../rule-candidates/lint-candidate.ts';
import { ruleChangesOf, type StoredChange } from '../rule-candidates/rule-changes.ts';
import { summaryOf } from '../rule-candidates/replay-summary.ts';
import { Turns } from '../rule-candidates/turns.ts';
import { TOOL_CATALOG } from '../tools/tool-catalog.provider.ts';
import { HistoryRepository, type HistoryWindow } from './history.repository.ts';
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

/** Replays past requests with and without one draft rule, at once (PAM-244). It changes nothing. */
@Injectable()
export class SimulateRule {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly candidates: Candidates,
    private readonly history: HistoryRepository,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
  ) {}

  /**
   * @throws ProblemError org_required, organization_not_found, rule_not_found, pam_rule_invalid,
   * pam_rule_risk_tier_unreachable, site_not_in_org, signer_group_not_in_org, site_access_denied
   */
  async execute(caller: UserCaller, draft: SimulateRuleDto): Promise<SimulationResponse> {
    const { orgId, plan, candidate } = await this.work.run(caller, (tx) => this.prepare(tx, caller, draft));
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

/** The draft as the change of a rule set: a new rule, or all members of a known one. */
function changeOf({ rule, ruleId }: SimulateRuleDto, orgId: string): StoredChange {
  if (!ruleId) return ruleChangesOf([{ op: 'add', ref: 'draft', rule }], orgId)[0]!;
  const { orgId: _, ...patch } = rule;
  return ruleChangesOf([{ op: 'update', ruleId, patch }], orgId)[0]!;
}

const draftIdOf = ({ changes: [change] }: Plan): string =>
  change?.op === 'add' ? change.id : change?.op === 'update' ? change.ruleId : '';
