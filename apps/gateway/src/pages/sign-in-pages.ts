import type { FastifyInstance } from 'fastify';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';
const ICON = 'image/svg+xml';
/** Everything comes from this site except logos, which the browser fetches and never the server. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const PAGES: Readonly<Record<string, string>> = {
  '/login': 'login.html',
  '/accept-invite': 'account.html',
  '/reset-password': 'account.html',
  '/sso-setup': 'sso-setup.html',
};
/** These are views of the console where it is built. */
const PAGES_WITHOUT_CONSOLE: Readonly<Record<string, string>> = {
  '/': 'start.html',
  '/settings/profile': 'profile.html',
};
const SCRIPTS = [
  'account.js',
  'colours.js',
  'login.js',
  'passkeys.js',
  'passwords.js',
  'profile.js',
  'recovery-codes.js',
  'session.js',
  'sso-setup.js',
  'start.js',
  'words.js',
];
const ASSETS: readonly (readonly [name: string, type: string])[] = [
  ...SCRIPTS.map((name) => [name, SCRIPT] as const),
  ['gatehouse.css', STYLE],
  ['icon.svg', ICON],
];

const fileOf = (name: string): Buffer => readFileSync(new URL(`../../pages/${name}`, import.meta.url));

/**
 * The library that draws QR codes, from beside a bundle or from the installed package. Without it the profile page
 * shows the key of an authenticator as text only.
 */
function qrCodeLibrary(): Buffer | null {
  const beside = fileURLToPath(new URL('./qr-code/uqr.js', import.meta.url));
  if (existsSync(beside)) return readFileSync(beside);
  try {
    return readFileSync(new URL('index.mjs', pathToFileURL(createRequire(import.meta.url).resolve('uqr'))));
  } catch {
    return null;
  }
}

/** Serves the pages that users need outside the console: sign-in, invitation, password reset. */
export function serveSignInPages(server: FastifyInstance, hasConsole: boolean): void {
  for (const [path, name] of Object.entries(hasConsole ? PAGES : { ...PAGES, ...PAGES_WITHOUT_CONSOLE })) {
    const body = fileOf(name);
    server.get(path, async (_, reply) => reply.header('content-security-policy', POLICY).type(HTML).send(body));
  }
  const files = ASSETS.map(([name, type]) => ({ name, type, body: fileOf(name) }));
  const library = qrCodeLibrary();
  for (const { name, type, body } of library ? [...files, { name: 'uqr.js', type: SCRIPT, body: library }] : files)
    server.get(`/assets/${name}`, async (_, reply) => reply.type(type).send(body));
}
