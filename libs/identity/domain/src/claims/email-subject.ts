import { foldAscii } from '../email-address.ts';

/**
 * Returns the subject that a NameID of the format emailAddress denotes. Two links that differ only in letter case
 * belong to two users: only an exact match selects one of them.
 * @param linked the provider's linked subjects that equal the NameID when letter case is ignored
 * @returns null when several subjects match and none of them exactly
 */
export function chooseSubject(nameId: string, linked: readonly string[]): string | null {
  if (linked.includes(nameId)) return nameId;
  const [only = foldAscii(nameId)] = linked;
  return linked.length > 1 ? null : only;
}
