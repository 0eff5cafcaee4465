/**
 * The order that is kept: wanted ids that exist, each once, then the rest as they were registered
 * (TEN-09).
 * @param registered ids of the organisations that exist, oldest first
 */
export function organizationOrder(wanted: readonly string[], registered: readonly string[]): string[] {
  const existing = new Set(registered);
  const chosen = new Set(wanted.map((id) => id.toLowerCase()).filter((id) => existing.has(id)));
  return [...chosen, ...registered.filter((id) => !chosen.has(id))];
}
