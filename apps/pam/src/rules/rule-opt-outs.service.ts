import { type AuditSubject, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { type OptOutOfRuleDto, type OrgQuery, RuleOptedOut, type RuleOptOutRecord } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { bumpRulebook, type OrgOfPartner } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { OrganizationsRepository } from '../tenants/organizations.repository.ts';
import { requireSite } from '../tenants/require-place.ts';
import { RulesRepository } from './rules.repository.ts';
import { type LeavableRule, type OptOutRow, RuleOptOutsRepository } from './rule-opt-outs.repository.ts';

const optOutView = ({ ruleId, orgId, reason, optedOutBy, byName, optedOutAt }: OptOutRow): RuleOptOutRecord => ({
  ruleId,
  orgId,
  reason,
  by: optedOutBy,
  byName,
  at: optedOutAt.toISOString(),
});

/** The entry stands in the log of the organisation that leaves the rule or comes back to it. */
const optOutSubject = ({ id, name }: LeavableRule, { orgId, partnerId }: OrgOfPartner): AuditSubject => ({
  resource: { type: 'pam.rule', id, name },
  orgId,
  partnerId,
});

function requireRule<T>(rule: T | null): T {
  if (rule === null) throw new ProblemError('rule_not_found', 'There is no such rule of the partner.');
  return rule;
}

function requireLeavable({ precedence, optOut }: LeavableRule): void {
  if (precedence === 'before' && optOut === 'none')
    throw new ProblemError('opt_out_not_allowed', 'The partner does not allow organisations to opt out of this rule.');
}

@Injectable()
export class RuleOptOutsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly rules: RulesRepository,
    private readonly optOuts: RuleOptOutsRepository,
    private readonly organizations: OrganizationsRepository,
  ) {}

  /** @throws ProblemError rule_not_found for a rule out of reach, and for one of an organisation */
  list(caller: UserCaller, ruleId: string): Promise<RuleOptOutRecord[]> {
    return this.work.read(caller, async (reader) => {
      const rule = await this.rules.findOfAny(reader, caller.scope, ruleId);
      requireRule(rule && rule.orgId === null ? rule : null);
      return (await this.optOuts.list(reader, ruleId)).map(optOutView);
    });
  }

  /** Brings an organisation back under a rule of its partner. Nothing changes where it has not left the rule. */
  optInToRule(caller: UserCaller, ruleId: string, { orgId }: OrgQuery): Promise<void> {
    return this.work.run(caller, async (tx) => {
      const organization = await this.organizations.resolveWritable(tx, caller, orgId);
      const rule = requireRule(await this.optOuts.holdRule(tx, organization, ruleId));
      requireSite(caller, null);
      const ended = await this.optOuts.delete(tx, organization, ruleId);
      if (ended === null) return;
      await bumpRulebook(tx, organization, { kind: 'rule_opt_out', ids: [ended], editedBy: caller.userId });
      const details = { changes: { optedOut: { before: true, after: false } } };
      tx.audit({ ...optOutSubject(rule, organization), action: 'pam.rule.opt_in', details });
    });
  }

  /** Lets an organisation leave a rule of its partner: from the commit on the rule decides nothing there. */
  optOutOfRule(caller: UserCaller, ruleId: string, draft: OptOutOfRuleDto): Promise<RuleOptOutRecord> {
    return this.work.run(caller, async (tx) => {
      const organization = await this.organizations.resolveWritable(tx, caller, draft.orgId);
      const rule = requireRule(await this.optOuts.holdRule(tx, organization, ruleId));
      requireSite(caller, null);
      requireLeavable(rule);
      const reason = draft.reason.trim();
      const { optOut, before } = await this.optOuts.save(tx, caller, organization, { ruleId, reason });
      const { orgId, partnerId } = organization;
      await bumpRulebook(tx, organization, { kind: 'rule_opt_out', ids: [optOut.id], editedBy: caller.userId });
      const details = { reason, changes: { optedOut: { before, after: true } } };
      tx.audit({ ...optOutSubject(rule, organization), action: 'pam.rule.opt_out', details });
      tx.emit(RuleOptedOut, { ruleId, orgId, partnerId, actorId: caller.userId }, { aggregateId: ruleId });
      return optOutView(optOut);
    });
  }
}
