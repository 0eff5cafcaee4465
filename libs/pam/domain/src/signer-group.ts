import { foldCase } from './text.ts';

/** The signers of a group as they are kept (PAM spec, "Signer group"): trimmed, each once regardless of case, the first spelling stays. */
export function distinctSigners(signers: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const signer of signers.map((text) => text.trim())) {
    const key = foldCase(signer);
    if (!byKey.has(key)) byKey.set(key, signer);
  }
  return [...byKey.values()];
}
