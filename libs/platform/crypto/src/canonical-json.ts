/**
 * The canonical form of a JSON value, from which hashes are computed: members sorted by their names' UTF-16 code
 * units, no white space, numbers and strings as ECMAScript writes them (RFC 8785 3.2). Undefined members are left
 * out.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  const members = value as Readonly<Record<string, unknown>>;
  let text = '';
  // Avoids a list of entries, because a verification serialises whole chains.
  for (const name of Object.keys(members).sort()) {
    if (members[name] !== undefined) text += `${text && ','}${JSON.stringify(name)}:${canonicalJson(members[name])}`;
  }
  return `{${text}}`;
}
