import { GatehouseError } from '@gatehouse/client';

/** What scripts decide by. The README explains them. */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  notSignedIn: 3,
  notAllowed: 4,
  notFound: 5,
  conflict: 6,
  tryLater: 7,
  notValid: 8,
} as const;

const BY_STATUS: Readonly<Record<number, number>> = {
  401: EXIT.notSignedIn,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  409: EXIT.conflict,
  410: EXIT.conflict,
  429: EXIT.tryLater,
};
const FIRST_SERVER_FAULT = 500;

/** An error of the command line: an unknown command, a missing argument, a file that cannot be read. */
export class UsageError extends Error {}

/** There is no session and no API key. */
export class NotSignedIn extends Error {}

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof NotSignedIn) return EXIT.notSignedIn;
  if (!(error instanceof GatehouseError)) return EXIT.tryLater;
  if (error.status >= FIRST_SERVER_FAULT) return EXIT.tryLater;
  return BY_STATUS[error.status] ?? EXIT.refused;
}

/** An error as `--json` shows it. */
export function errorRecord(error: unknown): object {
  if (error instanceof GatehouseError) return error.problem ?? { code: error.code, detail: error.message };
  return { code: error instanceof UsageError ? 'usage' : 'failed', detail: messageOf(error) };
}

/** An error as one line. */
export function messageOf(error: unknown): string {
  if (error instanceof GatehouseError) {
    const issues = error.problem?.issues?.map(({ path, message }) => `${path} ${message}`.trim()) ?? [];
    return [`${error.message} (${error.code})`, ...issues].join('\n  ');
  }
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
