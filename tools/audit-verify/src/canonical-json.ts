/**
 * RFC 8785: members sorted by UTF-16 code units, no white space. It shares no code with the service on purpose: a
 * verifier must not share the service's mistakes.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = value as Record<string, unknown>;
  return `{${Object.keys(members)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(members[name])}`)
    .join(',')}}`;
}
