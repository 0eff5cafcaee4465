import { changesOf, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { bumpRulebooks } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import type { NamedThing } from '../organizations/one-organization.ts';
import { PartnerRulesRepository } from './partner-rules.repository.ts';
import { RulesRepository } from './rules.repository.ts';
import { auditSubject, WritableRules } from './writable-rules.ts';

@Injectable()
export class DeleteRule {
  constructor(
    private readonly work: UnitOfWork,
    private readonly rules: RulesRepository,
    private readonly partnerRules: PartnerRulesRepository,
    private readonly writableRules: WritableRules,
  ) {}

  /** @throws ProblemError rule_not_found, partner_access_denied, site_access_denied, organization_frozen */
  execute(caller: UserCaller, named: NamedThing): Promise<void> {
    return this.work.run(caller, async (tx) => {
      const rule = await this.writableRules.lock(tx, caller, named);
      const optOuts = await this.partnerRules.optOutsOf(tx, rule.id);
      await this.rules.delete(tx, rule.id);
      const editedBy = caller.userId;
      const ended = [
        { kind: 'rule', ids: [rule.id], editedBy },
        { kind: 'rule_opt_out', ids: optOuts, editedBy },
      ] as const;
      await bumpRulebooks(tx, [rule], ended);
      const changes = changesOf(rule, null, Object.keys(rule));
      tx.audit({ ...auditSubject(rule), action: 'pam.rule.delete', details: { changes } });
    });
  }
}
