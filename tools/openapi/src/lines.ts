const MAX_WIDTH = 200;

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A value of JSON on one line, with blanks as a reader expects them. */
function lineOf(value: unknown): string {
  if (!isContainer(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(lineOf).join(', ')}]`;
  const members = membersOf(value).map(([name, member]) => `${JSON.stringify(name)}: ${lineOf(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

const membersOf = (value: object): [string, unknown][] =>
  Object.entries(value as Record<string, unknown>).filter(([, member]) => member !== undefined);

/**
 * JSON in which whatever fits stands on one line: a schema of a member, a reference. One change is one line of a
 * difference, and the documents have a third of the lines that an item for each line would take.
 */
export function linesOf(value: unknown, indent = '', lead = 0): string {
  const line = lineOf(value);
  if (!isContainer(value) || indent.length + lead + line.length <= MAX_WIDTH) return line;
  const deeper = `${indent} `;
  if (Array.isArray(value)) return `[\n${value.map((item) => deeper + linesOf(item, deeper)).join(',\n')}\n${indent}]`;
  const members = membersOf(value).map(([name, member]) => {
    const start = `${JSON.stringify(name)}: `;
    return `${deeper}${start}${linesOf(member, deeper, start.length)}`;
  });
  return `{\n${members.join(',\n')}\n${indent}}`;
}
