/** Letters are folded within ASCII only: Unicode folding would make the Kelvin sign equal to k. */
const folded = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The signers of a group as they are kept (PAM spec, "Signer group"): trimmed, each once regardless of case, the first spelling stays. */
export function distinctSigners(signers: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const signer of signers.map((text) => text.trim())) {
    const key = folded(signer);
    if (!byKey.has(key)) byKey.set(key, signer);
  }
  return [...byKey.values()];
}
