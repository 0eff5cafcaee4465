import type { FastifyInstance } from 'fastify';
import { readFileSync } from 'node:fs';

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
/** Everything comes from this site except logos, which the browser fetches and never the server. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const PAGES: Readonly<Record<string, string>> = {
  '/': 'start.html',
  '/login': 'login.html',
  '/settings/profile': 'profile.html',
  '/accept-invite': 'account.html',
  '/reset-password': 'account.html',
};
const SCRIPTS = ['account.js', 'login.js', 'passkeys.js', 'profile.js', 'session.js', 'start.js', 'words.js'];

const fileOf = (name: string): Buffer => readFileSync(new URL(`../../pages/${name}`, import.meta.url));

/** Serves the pages that users need outside a dashboard: sign-in, invitation, password reset, profile. */
export function serveSignInPages(server: FastifyInstance): void {
  for (const [path, name] of Object.entries(PAGES)) {
    const body = fileOf(name);
    server.get(path, async (_, reply) => reply.header('content-security-policy', POLICY).type(HTML).send(body));
  }
  for (const name of SCRIPTS) {
    const body = fileOf(name);
    server.get(`/assets/${name}`, async (_, reply) => reply.type(SCRIPT).send(body));
  }
  const style = fileOf('gatehouse.css');
  server.get('/assets/gatehouse.css', async (_, reply) => reply.type('text/css; charset=utf-8').send(style));
}
