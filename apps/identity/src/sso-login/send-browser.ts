import type { FastifyReply } from 'fastify';

const FOUND = 302;
export const SEE_OTHER = 303;

/** Sends the browser on: never cached, and without telling the next page where it came from. */
export function sendBrowser(reply: FastifyReply, location: string, cookies: readonly string[], status = FOUND): void {
  if (cookies.length > 0) reply.header('set-cookie', [...cookies]);
  reply
    .status(status)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('location', location)
    .send();
}
