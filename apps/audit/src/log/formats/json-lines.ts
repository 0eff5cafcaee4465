/** Unicode line separators, which JSON allows inside strings. */
const LINE_SEPARATORS = /[\u0085\u2028\u2029]/g;

const escaped = (separator: string): string => `\\u${separator.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * A JSON value on one line, even for readers that split at any Unicode line separator; it parses to the same value.
 */
export const jsonLine = (value: unknown): string => `${JSON.stringify(value).replace(LINE_SEPARATORS, escaped)}\n`;
