import type { UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { bumpRulebook } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import type { NamedThing } from '../organizations/one-organization.ts';
import { RulesRepository } from './rules.repository.ts';
import { auditSubject, WritableRules } from './writable-rules.ts';

@Injectable()
export class DeleteRule {
  constructor(
    private readonly work: UnitOfWork,
    private readonly rules: RulesRepository,
    private readonly writableRules: WritableRules,
  ) {}

  /** @throws ProblemError rule_not_found, site_access_denied, organization_frozen */
  execute(caller: UserCaller, named: NamedThing): Promise<void> {
    return this.work.run(caller, async (tx) => {
      const { rule, organization } = await this.writableRules.lock(tx, caller, named);
      await this.rules.delete(tx, named.id);
      await bumpRulebook(tx, organization, { kind: 'rule', ids: [rule.id], editedBy: caller.userId });
      tx.audit({ ...auditSubject(rule), action: 'pam.rule.delete' });
    });
  }
}
