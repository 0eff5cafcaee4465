/** The values of a rule that place it in the order. */
export interface WithPriority {
  readonly priority: number;
}

/** One change of a rule set. A rule that is added has its future id already. */
export type RuleChange<V> =
  | { readonly op: 'add'; readonly ref: string; readonly id: string; readonly rule: V }
  | { readonly op: 'update'; readonly ruleId: string; readonly patch: Partial<V> }
  | { readonly op: 'remove'; readonly ruleId: string }
  | { readonly op: 'reorder'; readonly ruleIds: readonly string[] };

/** A rule of the candidate; `ref` names one that a change adds. */
export interface CandidateRule<V> {
  readonly id: string;
  readonly ref: string | null;
  readonly values: V;
}

/** A change that does not fit the rules that it meets. */
export class ChangeFault extends Error {
  constructor(
    /** The position of the change. */
    readonly at: number,
    readonly fault: 'rule_unknown' | 'ref_taken' | 'order_incomplete' | 'order_unknown',
    /** The id or ref that does not fit. */
    readonly subject: string,
  ) {
    super(`change ${at}: ${fault} ${subject}`);
  }
}

/** What a candidate is made of, besides the changes. */
export interface CurrentRules<V> {
  /** The rules as they are, oldest first. */
  readonly rules: readonly { readonly id: string; readonly values: V }[];
  /** Whether a reorder must name the rule. */
  readonly isOrdered: (values: V) => boolean;
  /** Checks and normalises the whole values of a rule that a change makes. */
  readonly vet: (values: V, at: number, before: V | null) => V;
}

const PRIORITY_STEP = 10;

/** The rules while the changes are made, by id and by age: a Map keeps the order of insertion. */
class Draft<V extends WithPriority> {
  private readonly rules: Map<string, CandidateRule<V>>;
  private readonly idsByRef = new Map<string, string>();

  constructor(private readonly standing: CurrentRules<V>) {
    this.rules = new Map(standing.rules.map(({ id, values }) => [id, { id, ref: null, values }]));
  }

  make(change: RuleChange<V>, at: number): void {
    switch (change.op) {
      case 'add':
        return this.add(change.ref, change.id, change.rule, at);
      case 'update':
        return this.update(change.ruleId, change.patch, at);
      case 'remove':
        this.known(change.ruleId, at);
        this.rules.delete(change.ruleId);
        return;
      case 'reorder':
        return this.reorder(change.ruleIds, at);
    }
  }

  /** In the order of evaluation; sorting is stable, so that age decides between equal priorities. */
  inOrder(): CandidateRule<V>[] {
    return [...this.rules.values()].sort((a, b) => a.values.priority - b.values.priority);
  }

  private add(ref: string, id: string, rule: V, at: number): void {
    if (this.idsByRef.has(ref) || this.rules.has(ref)) throw new ChangeFault(at, 'ref_taken', ref);
    this.idsByRef.set(ref, id);
    this.rules.set(id, { id, ref, values: this.standing.vet(rule, at, null) });
  }

  private update(id: string, patch: Partial<V>, at: number): void {
    const rule = this.known(id, at);
    this.rules.set(id, { ...rule, values: this.standing.vet({ ...rule.values, ...patch }, at, rule.values) });
  }

  private reorder(names: readonly string[], at: number): void {
    const ids = names.map((name) => this.idsByRef.get(name) ?? name);
    const named = new Set<string>();
    for (const id of ids) {
      if (!this.rules.has(id) || named.has(id)) throw new ChangeFault(at, 'order_unknown', id);
      named.add(id);
    }
    const left = [...this.rules.values()].find(({ id, values }) => this.standing.isOrdered(values) && !named.has(id));
    if (left) throw new ChangeFault(at, 'order_incomplete', left.ref ?? left.id);
    for (const [position, id] of ids.entries()) {
      const rule = this.rules.get(id)!;
      this.rules.set(id, { ...rule, values: { ...rule.values, priority: (position + 1) * PRIORITY_STEP } });
    }
  }

  /** @throws ChangeFault for a rule that does not exist, or no longer */
  private known(id: string, at: number): CandidateRule<V> {
    const rule = this.rules.get(id);
    if (!rule) throw new ChangeFault(at, 'rule_unknown', id);
    return rule;
  }
}

/**
 * The rules after the changes, in the order of evaluation. The changes are made one after another.
 * @throws ChangeFault, and whatever `vet` throws
 */
export function candidateOf<V extends WithPriority>(
  standing: CurrentRules<V>,
  changes: readonly RuleChange<V>[],
): CandidateRule<V>[] {
  const draft = new Draft(standing);
  for (const [at, change] of changes.entries()) draft.make(change, at);
  return draft.inOrder();
}

/** How a candidate differs from the rules as they are. */
export interface RuleSetDifference<V> {
  readonly added: readonly CandidateRule<V>[];
  readonly updated: readonly { readonly rule: CandidateRule<V>; readonly fields: readonly string[] }[];
  readonly removed: readonly string[];
}

const fieldsThatDiffer = <V extends object>(before: V, after: V): string[] =>
  Object.keys(after).filter(
    (field) => JSON.stringify(Reflect.get(before, field)) !== JSON.stringify(Reflect.get(after, field)),
  );

export function differenceOf<V extends WithPriority>(
  standing: CurrentRules<V>['rules'],
  candidate: readonly CandidateRule<V>[],
): RuleSetDifference<V> {
  const before = new Map(standing.map(({ id, values }) => [id, values]));
  const after = new Set(candidate.map(({ id }) => id));
  const updated = candidate.flatMap((rule) => {
    const known = before.get(rule.id);
    const fields = known ? fieldsThatDiffer(known, rule.values) : [];
    return fields.length > 0 ? [{ rule, fields }] : [];
  });
  return {
    added: candidate.filter(({ id }) => !before.has(id)),
    updated,
    removed: standing.filter(({ id }) => !after.has(id)).map(({ id }) => id),
  };
}
