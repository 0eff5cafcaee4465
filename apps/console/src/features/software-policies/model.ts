import type { Values } from '../../ui/forms/fields.ts';

/** The members of an entry by which it matches; one that matches is enough. */
export const MATCHES = ['sha256', 'signer', 'publisher', 'pathGlob'] as const;

type Matches = { readonly [K in (typeof MATCHES)[number]]?: string };

/** The entry that a form describes, without what was left empty. */
export function entryOf(values: Values): { name: string } & Matches {
  const filled = MATCHES.map((name) => [name, String(values[name] ?? '').trim()] as const);
  const name = String(values['name'] ?? '').trim();
  return { name, ...Object.fromEntries(filled.filter(([, value]) => value !== '')) };
}

/** A list with one element replaced, or removed when there is nothing in its place. */
export const withElement = <T>(list: readonly T[], at: number, element?: T): T[] =>
  list.flatMap((one, index) => (index === at ? (element === undefined ? [] : [element]) : [one]));

type Entry = { readonly name: string } & { readonly [K in (typeof MATCHES)[number]]?: string | null };

/** What the form of an entry holds. @param entry undefined for a new one */
export const valuesOfEntry = (entry?: Entry): Values => ({
  name: entry?.name ?? '',
  ...Object.fromEntries(MATCHES.map((match) => [match, entry?.[match] ?? ''])),
});

const isSame = (one: Entry | undefined, other: Entry): boolean =>
  JSON.stringify(valuesOfEntry(one)) === JSON.stringify(valuesOfEntry(other));

/**
 * Where an entry stands in a list that another person may have changed: at its place, wherever the same one is, or
 * where one of its name is. @returns -1 when it was removed
 */
export function placeOf(entries: readonly Entry[], entry: Entry, at: number): number {
  if (isSame(entries[at], entry)) return at;
  const same = entries.findIndex((one) => isSame(one, entry));
  return same >= 0 ? same : entries.findIndex(({ name }) => name === entry.name);
}

/** The list with an entry in place of a former one; at its end when that was removed, or when it is new. */
export const withEntry = <E extends Entry>(entries: readonly E[], place: number, entry: E): E[] =>
  place < 0 ? [...entries, entry] : withElement(entries, place, entry);
