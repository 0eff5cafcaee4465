import type { UserCaller } from '@gatehouse/contracts-core';
import type { PamRuleRecord } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';
import type { RuleSetDifference } from '@gatehouse/pam-domain';
import { bumpRulebooks, requireRulebookCapacity, RulebookRepository } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { configs } from '../settings/settings.repository.ts';
import type { Organization } from '../tenants/organizations.repository.ts';
import type { Plan } from './candidates.ts';
import { RuleLinter } from '../rules/rule-linter.ts';
import { ruleView } from '../rules/rule.view.ts';
import { RulesRepository, type RuleValues } from '../rules/rules.repository.ts';

type Difference = RuleSetDifference<RuleValues>;

export interface Ruleset {
  readonly organization: Organization;
  readonly difference: Difference;
  readonly plan: Plan;
  /** The authors of what is stored, besides the caller. */
  readonly alsoBy: readonly string[];
}

const PRIORITY = 'priority';
const isMoved = ({ fields }: Difference['updated'][number]): boolean => fields.every((field) => field === PRIORITY);

/** Stores a changed rule set. */
@Injectable()
export class StoreRuleset {
  constructor(
    private readonly rulebooks: RulebookRepository,
    private readonly rules: RulesRepository,
    private readonly linter: RuleLinter,
  ) {}

  /**
   * Stores the rules and begins a new version of the rulebook, which is locked from here on.
   * @returns the version, and the rules in the order of evaluation as far as the caller sees them
   */
  async store(tx: Tx, caller: UserCaller, ruleset: Ruleset): Promise<{ rules: PamRuleRecord[]; version: number }> {
    const { organization, difference, plan, alsoBy } = ruleset;
    await this.rules.lockAllOf(tx, organization.orgId);
    const before = await this.linter.refusable(tx, organization);
    await this.storeRules(tx, caller, ruleset);
    await this.linter.requireNoNewRisks(tx, organization, { before, changed: rewrittenIn(difference) });
    const { defaultUnmatchedVerdict } = plan;
    if (defaultUnmatchedVerdict !== null) await configs.save(tx, organization, { defaultUnmatchedVerdict });
    const editedBy = caller.userId;
    const config = {
      kind: 'config',
      ids: defaultUnmatchedVerdict === null ? [] : [organization.orgId],
      editedBy,
      alsoBy,
    } as const;
    await bumpRulebooks(tx, [organization], [{ kind: 'rule', ids: idsOf(difference), editedBy, alsoBy }, config]);
    await requireRulebookCapacity(tx, 'pam_rules', organization);
    const { rows } = await this.rules.list(tx, caller.scope, organization.orgId, null);
    return { rules: rows.map(ruleView), version: await this.rulebooks.hold(tx, organization) };
  }

  private async storeRules(tx: Tx, caller: UserCaller, { organization, difference }: Ruleset): Promise<void> {
    const { added, updated, removed } = difference;
    const updatedBy = caller.userId;
    await this.rules.deleteAll(tx, removed);
    const moved = updated.filter(isMoved).map(({ rule }) => ({ id: rule.id, priority: rule.values.priority }));
    if (moved.length > 0) await this.rules.place(tx, moved, updatedBy);
    for (const { rule } of updated.filter((each) => !isMoved(each)))
      await this.rules.update(tx, rule.id, { values: rule.values, updatedBy });
    for (const { id, values } of inOrderOfIds(added))
      await this.rules.insert(tx, organization, { id, createdBy: caller.userId, values });
  }
}

const rewrittenIn = ({ added, updated }: Difference): string[] => [
  ...added.map(({ id }) => id),
  ...updated.filter((each) => !isMoved(each)).map(({ rule }) => rule.id),
];

const idsOf = ({ added, updated, removed }: Difference): string[] => [
  ...added.map(({ id }) => id),
  ...updated.map(({ rule }) => rule.id),
  ...removed,
];

const inOrderOfIds = <T extends { readonly id: string }>(rules: readonly T[]): T[] =>
  [...rules].sort((a, b) => (a.id < b.id ? -1 : 1));
