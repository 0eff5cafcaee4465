import type { FastifyReply } from 'fastify';

export const FOUND = 302;
export const SEE_OTHER = 303;

/** Redirects the browser, with no caching and no Referer header for the next page. */
export function sendBrowser(reply: FastifyReply, location: string, cookies: readonly string[], status = FOUND): void {
  if (cookies.length > 0) reply.header('set-cookie', [...cookies]);
  reply
    .status(status)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('location', location)
    .send();
}
