/** The distance between the priorities of neighbours, so that a rule can later be put in between. */
const STEP = 10;

export interface Placed {
  readonly id: string;
  readonly priority: number;
}

/**
 * Puts the named rules into the named order, in the places that they hold together; the others stay where they are.
 * Priorities become 10, 20, ….
 * @param rules all rules of the organisation in the order of evaluation
 * @returns the rules whose priority changes
 */
export function reordered(rules: readonly Placed[], ids: readonly string[]): Placed[] {
  const named = new Set(ids);
  const priorities = new Map(rules.map(({ id, priority }) => [id, priority]));
  const waiting = ids.values();
  return rules.flatMap(({ id }, at) => {
    const next = named.has(id) ? waiting.next().value! : id;
    const priority = (at + 1) * STEP;
    return priorities.get(next) === priority ? [] : [{ id: next, priority }];
  });
}
