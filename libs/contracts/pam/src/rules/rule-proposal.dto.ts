import { Choice, Flag, Nested, NestedList, Text, Whole } from '@gatehouse/contracts-core';
import { PROPOSAL_LEVELS, type ProposalLevel, VERDICTS, type Verdict } from '../vocabulary.ts';
import { CreateRuleDto } from './pam-rule.dto.ts';
import { RuleFindingRecord } from './replay.records.ts';

/** PAM-249. */
export class RuleProposalsQuery {
  @Choice(VERDICTS, { optional: true, description: 'What the rule does; by default what became of the request.' })
  verdict?: Verdict;
}

export class RuleProposalRecord {
  @Choice(PROPOSAL_LEVELS, { description: 'How much the rule matches.' }) level!: ProposalLevel;
  @Nested(() => CreateRuleDto, { nullable: true, description: 'The draft of a rule; null when none is proposed.' })
  rule!: CreateRuleDto | null;
  @Text({ max: 500, nullable: true, description: 'What the rule asks for; null without a rule.' }) why!: string | null;
  @Text({ max: 500, nullable: true, description: 'Why no rule is proposed; null when one is.' })
  whyNot!: string | null;
  @Whole({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    description: 'How many requests of the last 30 days the rule would have matched.',
  })
  matched30d!: number;
  @NestedList(() => RuleFindingRecord, {
    maxItems: 20,
    description: 'What the linter finds in the draft, which is named by its level.',
  })
  findings!: RuleFindingRecord[];
}

export class RuleProposalsResponse {
  @Flag() success!: true;
  @NestedList(() => RuleProposalRecord, { maxItems: 3, description: 'The narrowest first.' })
  proposals!: RuleProposalRecord[];
}
