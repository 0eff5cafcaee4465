import { asService } from '@gatehouse/contracts-core';
import { RuleExpired, type RuleExpiryFact, RuleExpiryNoticed } from '@gatehouse/contracts-pam';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Every } from '@gatehouse/service';
import { Injectable } from '@nestjs/common';
import { type ExpiringRule, NOTICE_BATCH, RuleExpiryRepository } from './rules.repository.ts';

const EVERY_MS = 10_000;
const AT_THE_END = 3;
const SELF = asService('pam');

const factOf = ({ ruleId, partnerId, orgId, expiresAt }: ExpiringRule): RuleExpiryFact => ({
  ruleId,
  partnerId,
  orgId,
  expiresAt: expiresAt.toISOString(),
});

/** Publishes that a rule expires within seven days, within one, and that it has expired: each once (PAM-225). */
@Injectable()
export class NotifyRuleExpiry {
  constructor(
    private readonly work: UnitOfWork,
    private readonly rules: RuleExpiryRepository,
  ) {}

  @Every(EVERY_MS, 'give notice of the expiry of rules')
  async run(): Promise<void> {
    let given: number;
    do given = await this.work.background(SELF, (tx) => this.giveSome(tx));
    while (given === NOTICE_BATCH);
  }

  private async giveSome(tx: Tx): Promise<number> {
    const due = await this.rules.takeDue(tx);
    for (const rule of due)
      tx.emit(rule.expiryNotices === AT_THE_END ? RuleExpired : RuleExpiryNoticed, factOf(rule), {
        aggregateId: rule.ruleId,
      });
    return due.length;
  }
}
