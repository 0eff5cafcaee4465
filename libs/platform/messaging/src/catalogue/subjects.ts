/** Whether a subject matches a pattern: `>` at the end matches all remaining tokens, `*` matches one. */
export function matchesSubject(pattern: string, subject: string): boolean {
  if (pattern.endsWith('>')) return subject.startsWith(pattern.slice(0, -1));
  if (!pattern.includes('*')) return pattern === subject;
  const tokens = subject.split('.');
  const wanted = pattern.split('.');
  return wanted.length === tokens.length && wanted.every((token, at) => token === '*' || token === tokens[at]);
}

const VERSION = /\.v\d+$/;

export const hasVersion = (subject: string): boolean => VERSION.test(subject);

/** The subject without its version. */
export const kindOf = (subject: string): string => subject.replace(VERSION, '');
