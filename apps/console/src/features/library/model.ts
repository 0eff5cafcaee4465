export const OWNERS = ['partner', 'organization'] as const;
export const ACCOUNTS = ['system', 'user'] as const;
export const TYPES = ['text', 'number', 'boolean', 'dropdown', 'date'] as const;

/** The lines of a text, without those that hold nothing. */
export const linesOf = (text: unknown): string[] =>
  String(text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
