import { API_PREFIX } from '@gatehouse/contracts-core';
import type { FastifyInstance } from 'fastify';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiDocument } from './api-document.ts';

const DOCUMENT_PATH = `${API_PREFIX}/openapi.json`;
const HTML = 'text/html; charset=utf-8';
/** Scripts and styles come from this site alone; the viewer uses icons from data URLs and inline styles. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const DOCS_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Gatehouse API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="/assets/icon.svg"><link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="docs"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body></html>`;
const DOCS_SCRIPT = `SwaggerUIBundle({ url: '${DOCUMENT_PATH}', dom_id: '#docs', deepLinking: true, docExpansion: 'none', validatorUrl: null });`;

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly policy?: string;
  readonly body: string | Buffer;
}

/** A file of the viewer, from beside a bundle or from the installed package. */
function viewerFile(name: string): Buffer | null {
  const beside = fileURLToPath(new URL(`./swagger-ui/${name}`, import.meta.url));
  if (existsSync(beside)) return readFileSync(beside);
  try {
    return readFileSync(join(dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')), name));
  } catch {
    return null;
  }
}

const viewerAsset = (name: string, type: string): Asset[] => {
  const body = viewerFile(name);
  return body ? [{ path: `/docs/${name}`, type, body }] : [];
};

/** Serves the gateway's own pages: health, the joined OpenAPI document and its viewer. */
export function servePublicPages(server: FastifyInstance): void {
  const assets: Asset[] = [
    { path: '/docs', type: HTML, policy: DOCS_POLICY, body: DOCS_PAGE },
    { path: '/docs/start.js', type: 'text/javascript', body: DOCS_SCRIPT },
    ...viewerAsset('swagger-ui-bundle.js', 'text/javascript'),
    ...viewerAsset('swagger-ui.css', 'text/css'),
    { path: DOCUMENT_PATH, type: 'application/json', body: JSON.stringify(apiDocument()) },
    { path: '/healthz', type: 'application/json', body: JSON.stringify({ status: 'ok' }) },
  ];
  for (const { path, type, policy, body } of assets) {
    server.get(path, async (_, reply) =>
      (policy ? reply.header('content-security-policy', policy) : reply).type(type).send(body),
    );
  }
}
