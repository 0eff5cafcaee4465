/** Whether a subject lies in a pattern: `>` at the end stands for everything that follows. */
export const matchesSubject = (pattern: string, subject: string): boolean => (pattern.endsWith('>') ? subject.startsWith(pattern.slice(0, -1)) : pattern === subject);

const VERSION = /\.v\d+$/;

export const hasVersion = (subject: string): boolean => VERSION.test(subject);

/** The subject without its version. */
export const kindOf = (subject: string): string => subject.replace(VERSION, '');
