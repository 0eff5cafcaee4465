import { invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { ReorderRulesDto, RulesResponse } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { reordered, type ToolCatalog } from '@gatehouse/pam-domain';
import { bumpRulebook, lockRulebook } from '@gatehouse/pam-store';
import { Inject, Injectable } from '@nestjs/common';
import { OrganizationsRepository } from '../tenants/organizations.repository.ts';
import { requireSite } from '../tenants/require-site.ts';
import { listedRule } from './rule.view.ts';
import { RulesRepository } from './rules.repository.ts';
import { TOOL_CATALOG } from '../settings/tool-catalog.provider.ts';

/** The most ids that the audit record names. */
const MAX_NAMED = 1000;

/** The priorities of those of the rules that the audit record names. */
function prioritiesOf(
  rules: readonly { readonly id: string; readonly priority: number }[],
  ids: readonly string[],
): Readonly<Record<string, number>> {
  const named = new Set(ids.slice(0, MAX_NAMED));
  return Object.fromEntries(rules.filter(({ id }) => named.has(id)).map(({ id, priority }) => [id, priority]));
}

@Injectable()
export class RuleOrderService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly rules: RulesRepository,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
  ) {}

  reorderRules(caller: UserCaller, { orgId, ruleIds }: ReorderRulesDto): Promise<RulesResponse> {
    if (new Set(ruleIds).size < ruleIds.length) throw invalid('ruleIds', 'must name each rule once');
    return this.work.run(caller, async (tx) => {
      const organization = await this.organizations.resolveWritable(tx, caller, orgId);
      requireSite(caller, null);
      // The order that is read is the one that is changed.
      await lockRulebook(tx, organization);
      const { rows } = await this.rules.list(tx, caller.scope, organization.orgId, null);
      const known = new Set(rows.map(({ id }) => id));
      if (!ruleIds.every((id) => known.has(id))) throw new ProblemError('rule_not_found', 'There is no such rule.');
      const changed = reordered(rows, ruleIds);
      await this.rules.place(tx, changed, caller.userId);
      const ids = changed.map(({ id }) => id);
      await bumpRulebook(tx, organization, { kind: 'rule', ids, editedBy: caller.userId });
      tx.audit({
        action: 'pam.rule.reorder',
        resource: { type: 'pam.ruleset', id: organization.orgId },
        orgId: organization.orgId,
        partnerId: organization.partnerId,
        details: {
          changed: changed.length,
          ruleIds: ids.slice(0, MAX_NAMED),
          changes: { priorities: { before: prioritiesOf(rows, ids), after: prioritiesOf(changed, ids) } },
        },
      });
      const after = await this.rules.list(tx, caller.scope, organization.orgId, null);
      return { success: true, rules: after.rows.map((row) => listedRule(row, this.catalog)) };
    });
  }
}
