import { EXACT, foldCase, type Folding } from './text.ts';

/** Signers by the id of their group. */
export type SignerGroups = ReadonlyMap<string, readonly string[]>;
/** The same, as they are compared: made once, however many rules name a group. */
export type SignerSets = ReadonlyMap<string, ReadonlySet<string>>;

export const signerSetsOf = (groups: SignerGroups, folding: Folding = EXACT): SignerSets =>
  new Map([...groups].map(([id, signers]) => [id, new Set(signers.map((signer) => folding.text(signer)))]));

/**
 * The signers of a group as they are kept (PAM-34): trimmed, each once regardless of case, the first
 * spelling stays.
 */
export function distinctSigners(signers: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const signer of signers.map((text) => text.trim())) {
    const key = foldCase(signer);
    if (!byKey.has(key)) byKey.set(key, signer);
  }
  return [...byKey.values()];
}
