import { defineEvent, Flag, Instant, Nested, NestedList, Plain, Text, Uuid } from '@gatehouse/contracts-core';
import { MAX_REASON } from '../vocabulary.ts';

const REASON = { min: 1, max: MAX_REASON };

/** PAM-262. */
export class OptOutOfRuleDto {
  @Uuid({ optional: true, description: 'Required if the caller reaches several organisations.' }) orgId?: string;
  @Text({ ...REASON, description: 'The reason for the opt-out.' }) reason!: string;
}

/** An organisation's decision to leave a rule of its partner. */
export class RuleOptOutRecord {
  @Uuid() ruleId!: string;
  @Uuid() orgId!: string;
  @Text(REASON) reason!: string;
  @Uuid({ description: 'The user who decided it.' }) by!: string;
  @Text({ max: 255, nullable: true, description: 'Null if the user is no longer known.' }) byName!: string | null;
  @Instant() at!: string;
}

export class RuleOptOutResponse {
  @Flag() success!: true;
  @Nested(() => RuleOptOutRecord) optOut!: RuleOptOutRecord;
}

export class RuleOptOutsResponse {
  @Flag() success!: true;
  @NestedList(() => RuleOptOutRecord, { maxItems: 10_000, description: 'Newest first.' })
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
