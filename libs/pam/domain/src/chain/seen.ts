import type { Effort } from '../matching/effort.ts';
import type { Observation } from '../matching/observation.ts';
import { type Forms, formsOf, type Subject, subjectOf } from '../matching/subject.ts';
import { isSuspicious, plainFormsOfObservation } from '../matching/suspicion.ts';
import type { Rulebook } from '../rules/rulebook.ts';
import { type Costly, type Named, named } from './decision.ts';

/** The observation in the forms that are compared, and the effort spent on comparing them. */
export class MatchContext {
  readonly raw: Subject;
  /** As Windows may read it, if the observation is suspicious. */
  readonly plainForms: readonly Subject[];
  private readonly effort: Effort;
  private known: Forms | null = null;
  private type: Costly['type'] = 'pam.rule';
  private trying: Named | null = null;
  private from = 0;
  private most: Costly | null = null;

  constructor(
    readonly observation: Observation,
    effort: Effort,
  ) {
    this.effort = effort;
    this.raw = subjectOf(observation, effort);
    this.plainForms = isSuspicious(observation)
      ? plainFormsOfObservation(observation).map((form) => subjectOf(form, effort))
      : [];
  }

  get exact(): readonly Subject[] {
    return [this.raw, ...this.plainForms];
  }

  /** Computed when a denial first needs it. */
  get forms(): Forms {
    return (this.known ??= formsOf(this.exact));
  }

  /** Attributes the steps that follow to this rule or policy. */
  begin(type: Costly['type'], thing: Named): void {
    this.note();
    this.type = type;
    this.trying = thing;
    this.from = this.effort.spent;
  }

  /** The rule or policy with the most steps so far. */
  costliest(): Costly | null {
    this.note();
    return this.most;
  }

  private note(): void {
    const steps = this.effort.spent - this.from;
    if (this.trying && steps > (this.most?.steps ?? 0)) this.most = { type: this.type, ...named(this.trying), steps };
  }
}

/** What the holds of a grant look at. */
export interface DecisionContext {
  readonly seen: MatchContext;
  readonly rulebook: Rulebook;
  readonly holdsGrants: boolean;
}
