import { EXACT, foldCase, type Folding } from '@gatehouse/windows-paths';

/** Signers by the id of their signer group. */
export type SignerGroups = ReadonlyMap<string, readonly string[]>;
/** Folded signers by the id of their signer group; built once for all rules. */
export type SignerSets = ReadonlyMap<string, ReadonlySet<string>>;

export const signerSetsOf = (groups: SignerGroups, folding: Folding = EXACT): SignerSets =>
  new Map([...groups].map(([id, signers]) => [id, new Set(signers.map((signer) => folding.text(signer)))]));

/**
 * Normalises a group's signers for storage (PAM-34): trimmed and without duplicates regardless of case; the first
 * spelling is kept.
 */
export function distinctSigners(signers: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const signer of signers.map((text) => text.trim())) {
    const key = foldCase(signer);
    if (!byKey.has(key)) byKey.set(key, signer);
  }
  return [...byKey.values()];
}
