/** Milliseconds by which the server's clock is ahead of this browser's. */
let offset = 0;

/** @param date the `Date` header of an answer, which is exact to a second */
export function noteServerTime(date: string | null): void {
  const server = Date.parse(date ?? '');
  if (!Number.isNaN(server) && Math.abs(server - Date.now() - offset) > 1500) offset = server - Date.now();
}

/** The server's time in milliseconds: countdowns run on it. */
export const serverNow = (): number => Date.now() + offset;
