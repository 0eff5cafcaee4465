import { foldAscii } from './email-address.ts';

/**
 * The subject that a NameID of the format emailAddress stands for. Two links that differ in letter case only belong to
 * two
 * people: the exact spelling decides between them, and where there is none, neither may be taken for the other.
 * @param linked the provider's subjects that differ from it in letter case at most
 * @returns null when the spelling leaves open which of several is meant
 */
export function chooseSubject(nameId: string, linked: readonly string[]): string | null {
  if (linked.includes(nameId)) return nameId;
  const [only = foldAscii(nameId)] = linked;
  return linked.length > 1 ? null : only;
}
