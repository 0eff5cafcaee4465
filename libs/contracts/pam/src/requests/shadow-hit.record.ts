import { Choice, Text, Uuid } from '@gatehouse/contracts-core';
import { DECISION_OUTCOMES, type DecisionOutcome } from '../vocabulary.ts';

/** What a shadow rule would have made of a request. */
export class ShadowHitRecord {
  @Uuid({ description: 'The shadow rule.' }) ruleId!: string;
  @Choice(DECISION_OUTCOMES, { description: 'What it would have decided.' }) outcome!: DecisionOutcome;
  @Text({ max: 50, nullable: true }) held!: string | null;
}
