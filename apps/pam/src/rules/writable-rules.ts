import { type AuditSubject, ProblemError, requireVersion, type UserCaller } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { isWhereNamed, type NamedThing, requireSite } from '../tenants/require-place.ts';
import { isAbove, Owners } from '../tenants/owners.ts';
import { type RuleRow, RulesRepository } from './rules.repository.ts';

export const auditSubject = ({ id, name, orgId, partnerId, siteId }: RuleRow): AuditSubject => ({
  resource: { type: 'pam.rule', id, name },
  orgId,
  partnerId,
  siteId,
});

/** Locks a rule for a change, after checking that the caller may change it. */
@Injectable()
export class WritableRules {
  constructor(
    private readonly owners: Owners,
    private readonly rules: RulesRepository,
  ) {}

  async lock(tx: Tx, caller: UserCaller, named: NamedThing): Promise<RuleRow> {
    const rule = await this.rules.lock(tx, caller.scope, named.id);
    if (!rule || !isWhereNamed(named, rule) || isAbove(caller, rule))
      throw new ProblemError('rule_not_found', 'There is no such rule.');
    if (rule.orgId !== null) requireSite(caller, rule.siteId);
    await this.owners.requireChangeable(tx, caller, rule);
    requireVersion(caller, rule.version);
    return rule;
  }
}
