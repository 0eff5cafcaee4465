import { API_PREFIX, type Problem } from '@gatehouse/contracts-core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { prefersPage } from '../console/page-request.ts';

const HTML = 'text/html; charset=utf-8';
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** The API's addresses that a browser opens, because a provider or a link sends it there. */
const BROWSER_ADDRESSES = [`${API_PREFIX}/sso/login/`, `${API_PREFIX}/sso/callback`, `${API_PREFIX}/sso/saml/`];

interface Explanation {
  readonly title: string;
  readonly text: string;
}

const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  route_not_found: {
    title: 'Page not found',
    text: 'There is nothing at this address. Check it for a typing mistake.',
  },
  sso_provider_not_found: {
    title: 'Single sign-on is not set up here',
    text: 'This organisation does not exist, or has no active identity provider. Check the address, or ask your administrator for it.',
  },
  sso_provider_incomplete: {
    title: 'Single sign-on is not ready',
    text: 'The identity provider of this organisation is not fully configured. Ask your administrator.',
  },
  sso_protocol_mismatch: {
    title: 'This sign-in begins elsewhere',
    text: 'The identity provider of this organisation is reached at another address.',
  },
  rate_limited: { title: 'Too many attempts', text: 'Wait a moment, then try again.' },
  unavailable: { title: 'Gatehouse is not available at the moment', text: 'Try again in a moment.' },
};
const OTHERWISE: Explanation = {
  title: 'Something went wrong',
  text: 'Try again. If this happens again, send the request ID below to your administrator.',
};

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');

/** The address at which the sign-in begins, if the problem names one of ours. */
function addressIn({ loginUrl }: Readonly<Record<string, unknown>>): string | null {
  return typeof loginUrl === 'string' && loginUrl.startsWith(`${API_PREFIX}/sso/`) ? loginUrl : null;
}

/** Builds the page that a person sees instead of a problem document. It needs no script. */
export function errorPage(problem: Problem): string {
  const { title, text } = EXPLANATIONS[problem.code] ?? OTHERWISE;
  const address = addressIn({ ...problem });
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · Gatehouse</title>
    <link rel="icon" href="/assets/icon.svg" />
    <link rel="stylesheet" href="/assets/gatehouse.css" />
  </head>
  <body>
    <main>
      <p class="product"><img src="/assets/icon.svg" alt="" width="28" height="28" />Gatehouse</p>
      <div class="card">
        <h1>${title}</h1>
        <p>${text}</p>
        ${address ? `<a class="button" href="${escaped(address)}">Continue there</a>` : ''}
        <a class="button${address ? ' quiet' : ''}" href="/login">Go to the sign-in page</a>
        <p class="muted">Request ID: ${escaped(problem.requestId)}</p>
      </div>
    </main>
  </body>
</html>
`;
}

/**
 * Whether a person looks at the answer: a browser that opens an address asks for HTML, and a program does not. The
 * console shows its own page for an address that leads nowhere, and a missing file is never answered with HTML.
 */
export function wantsPage({ url, headers }: Pick<FastifyRequest, 'url' | 'headers'>, hasConsole = false): boolean {
  if (!prefersPage(headers.accept)) return false;
  return (!hasConsole && !url.startsWith(`${API_PREFIX}/`)) || BROWSER_ADDRESSES.some((at) => url.startsWith(at));
}

const isProblem = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type')).startsWith('application/problem+json');

/** Answers a browser that opened an address with a page wherever a program gets a problem document. */
export function showProblemsAsPages(server: FastifyInstance, hasConsole: boolean): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (reply.statusCode < 400 || !isText || !wantsPage(request, hasConsole) || !isProblem(reply))
      return done(null, payload);
    // An answer to HEAD has the headers of the page, and no body.
    const page = payload.length === 0 ? payload : errorPage(JSON.parse(payload.toString()) as Problem);
    void reply.removeHeader('content-length').headers({
      'content-type': HTML,
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      vary: 'accept',
    });
    done(null, page);
  });
}
