/** Ends of lines in Unicode, which JSON allows inside of texts. */
const LINE_SEPARATORS = /[\u0085\u2028\u2029]/g;

const escaped = (separator: string): string => `\\u${separator.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A value as one line, also for readers that take every Unicode line end for one; parsed it is the same value. */
export const jsonLine = (value: unknown): string => `${JSON.stringify(value).replace(LINE_SEPARATORS, escaped)}\n`;
