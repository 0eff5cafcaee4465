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
