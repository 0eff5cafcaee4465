/** The members of a record, as the API takes them. */
export type Members = Readonly<Record<string, unknown>>;

/** Two states of one record that were made from the same one. */
export interface Merge {
  /** The stored state with the members that were changed here. */
  readonly merged: Members;
  /** The members that were changed here and differ from what is stored. */
  readonly mine: readonly string[];
  /** The members that were changed there alone; they stay. */
  readonly theirs: readonly string[];
}

interface States {
  /** The state that both began with. */
  readonly base: Members;
  readonly own: Members;
  readonly stored: Members;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Applies the changes made here to the record as it is stored now. */
export function mergeOf({ base, own, stored }: States): Merge {
  const names = [...new Set([...Object.keys(base), ...Object.keys(own), ...Object.keys(stored)])];
  const changedHere = names.filter((name) => !isSame(own[name], base[name]));
  return {
    merged: { ...stored, ...Object.fromEntries(changedHere.map((name) => [name, own[name]])) },
    mine: changedHere.filter((name) => !isSame(own[name], stored[name])),
    theirs: names.filter((name) => !changedHere.includes(name) && !isSame(stored[name], base[name])),
  };
}
