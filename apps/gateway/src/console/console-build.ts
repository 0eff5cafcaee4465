import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Stands in the built page wherever the browser asks for the nonce of the content security policy. */
const NONCE = '__CSP_NONCE__';

/** A file of the console that has a fixed address outside of `/console`. */
export interface RootFile {
  readonly path: string;
  readonly type: string;
  readonly policy: string;
  readonly body: Buffer;
  readonly etag: string;
}

/** The files of the console, as `vite build` leaves them. */
export interface ConsoleBuild {
  readonly directory: string;
  /** The page that loads the console, with a nonce filled in. */
  pageWith(nonce: string): string;
  readonly rootFiles: readonly RootFile[];
}

/** Stands in a policy for the hashes of the styles that its page carries: without a network it can fetch none. */
const OWN_STYLES = 'OWN_STYLES';
const STYLES = /<style>([^]*?)<\/style>/g;
const SEALED = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const ROOT_FILES: readonly (readonly [name: string, type: string, policy: string])[] = [
  // The policy of a worker's script governs the requests that the worker makes, the icons of its notifications too.
  [
    'sw.js',
    'text/javascript; charset=utf-8',
    `default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'; ${SEALED}`,
  ],
  ['manifest.webmanifest', 'application/manifest+json; charset=utf-8', `default-src 'none'; ${SEALED}`],
  [
    'offline.html',
    'text/html; charset=utf-8',
    `default-src 'none'; style-src ${OWN_STYLES}; img-src 'self'; ${SEALED}`,
  ],
];

/** In a bundle the console lies beside the program, in a checkout where `vite build` leaves it. */
const PLACES = ['./console/', '../../../console/dist/'].map((place) => fileURLToPath(new URL(place, import.meta.url)));

const hasPage = (directory: string): boolean => existsSync(join(directory, 'index.html'));

const sha256 = (content: string | Buffer, encoding: 'base64' | 'base64url'): string =>
  createHash('sha256').update(content).digest(encoding);

function stylesOf(page: string): string {
  const hashes = [...page.matchAll(STYLES)].map(([, style = '']) => `'sha256-${sha256(style, 'base64')}'`);
  return hashes.join(' ') || "'none'";
}

function rootFileOf(directory: string, [name, type, policy]: (typeof ROOT_FILES)[number]): RootFile[] {
  const place = join(directory, name);
  if (!existsSync(place)) return [];
  const body = readFileSync(place);
  const own = policy.replace(OWN_STYLES, () => stylesOf(body.toString()));
  return [{ path: `/${name}`, type, policy: own, body, etag: `"${sha256(body, 'base64url')}"` }];
}

/**
 * Reads the built console.
 * @param place a directory other than the usual ones
 * @returns null where no console is built
 */
export function readConsole(place?: string): ConsoleBuild | null {
  const directory = place === undefined ? PLACES.find(hasPage) : resolve(place);
  if (directory === undefined || !hasPage(directory)) return null;
  const parts = readFileSync(join(directory, 'index.html'), 'utf8').split(NONCE);
  return {
    directory,
    pageWith: (nonce) => parts.join(nonce),
    rootFiles: ROOT_FILES.flatMap((file) => rootFileOf(directory, file)),
  };
}
