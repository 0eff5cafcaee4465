import { defineEvent, Flag, Instant, Nested, NestedList, Plain, Text, Uuid } from '@gatehouse/contracts-core';
import { MAX_REASON } from '../vocabulary.ts';

const REASON = { min: 1, max: MAX_REASON };

/** PAM-262. */
export class OptOutOfRuleDto {
  @Uuid({ optional: true, description: 'Needed when the caller reaches several organisations.' }) orgId?: string;
  @Text({ ...REASON, description: 'Why the organisation leaves the rule.' }) reason!: string;
}

/** An organisation's decision to leave a rule of its partner. */
export class RuleOptOutRecord {
  @Uuid() ruleId!: string;
  @Uuid() orgId!: string;
  @Text(REASON) reason!: string;
  @Uuid({ description: 'The user who decided it.' }) by!: string;
  @Text({ max: 255, nullable: true, description: 'Null when the user is not known any more.' }) byName!: string | null;
  @Instant() at!: string;
}

export class RuleOptOutResponse {
  @Flag() success!: true;
  @Nested(() => RuleOptOutRecord) optOut!: RuleOptOutRecord;
}

export class RuleOptOutsResponse {
  @Flag() success!: true;
  @NestedList(() => RuleOptOutRecord, { maxItems: 10_000, description: 'The newest first.' })
  optOuts!: RuleOptOutRecord[];
}

/** An organisation left a rule of its partner. Contains no reason, which is free text. */
@Plain()
export class RuleOptOutFact {
  @Uuid() ruleId!: string;
  @Uuid() partnerId!: string;
  @Uuid() orgId!: string;
  @Uuid() actorId!: string;
}
export const RuleOptedOut = defineEvent('pam.rule.opted_out.v1', RuleOptOutFact);
/** The partner changed the rule, which ended the opt-out. */
export const RuleOptOutEnded = defineEvent('pam.rule.opt_out_ended.v1', RuleOptOutFact);
