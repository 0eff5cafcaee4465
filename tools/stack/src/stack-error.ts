/** An error that the user can correct. Its message is shown as one line, without a stack. */
export class StackError extends Error {
  override readonly name = 'StackError';
}

/** The `code` of a system error (`ENOENT`, `EADDRINUSE`, …), or undefined. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
