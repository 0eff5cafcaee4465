/**
 * The one spelling of a JSON value that hashes are made of: members sorted by their names' UTF-16 code units, no white
 * space, numbers and strings as ECMAScript writes them (RFC 8785 3.2). Members without a value are left out.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  const members = value as Readonly<Record<string, unknown>>;
  let text = '';
  // Without a list of pairs in between: whole chains are spelled when they are verified.
  for (const name of Object.keys(members).sort()) {
    if (members[name] !== undefined) text += `${text && ','}${JSON.stringify(name)}:${canonicalJson(members[name])}`;
  }
  return `{${text}}`;
}
