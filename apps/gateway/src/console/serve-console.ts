import fastifyStatic from '@fastify/static';
import { ProblemError } from '@gatehouse/contracts-core';
import type { Logger } from '@gatehouse/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { answerProblem, requirePlainTarget } from '../front-door/front-door.ts';
import type { ConsoleBuild, RootFile } from './console-build.ts';
import { isView, pathOf, prefersPage } from './page-request.ts';

const NONCE_BYTES = 18;
/** One year, in seconds: a file with a hash in its name never changes. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Files that the build leaves beside those that a page asks for: maps, pages, the worker, and marks. */
const NOT_SERVED = /\.(?:map|html|br|gz)$|\/sw\.js$|\/\./;

const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' https: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');

/**
 * Serves the built console: its hashed files below `/console`, the service worker and the manifest at the root, and the
 * page itself at every address that can be a view.
 */
export async function serveConsole(server: FastifyInstance, build: ConsoleBuild, log: Logger): Promise<void> {
  await server.register(async (scope) => {
    // Addresses with escaped dots and slashes are refused before a file is looked for.
    scope.addHook('onRequest', async ({ raw }) => requirePlainTarget(raw.url ?? ''));
    scope.setErrorHandler((error, request, reply) => answerProblem(withoutReason(error), request, reply, log));
    await serveFiles(scope, build.directory);
    for (const file of build.rootFiles) scope.get(file.path, async (request, reply) => sendFile(file, request, reply));
    scope.get('/*', async (request, reply) => {
      void reply.header('vary', 'accept');
      const isPage = isView(pathOf(request.url)) && prefersPage(request.headers.accept);
      return isPage ? sendPage(build, reply) : reply.callNotFound();
    });
  });
}

async function serveFiles(scope: FastifyInstance, directory: string): Promise<void> {
  const hashed = join(directory, 'assets/');
  await scope.register(fastifyStatic, {
    root: directory,
    prefix: '/console/',
    decorateReply: false,
    index: false,
    dotfiles: 'ignore',
    preCompressed: true,
    // The files are small and compressed: a part of one is of no use to a browser.
    acceptRanges: false,
    cacheControl: false,
    allowedPath: (path: string) => !NOT_SERVED.test(path),
    setHeaders: (reply: FastifyReply, path: string) =>
      void reply.header('cache-control', path.startsWith(hashed) ? IMMUTABLE : 'no-cache'),
  });
}

function sendPage(build: ConsoleBuild, reply: FastifyReply): FastifyReply {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  return reply
    .header('content-security-policy', policyWith(nonce))
    .type('text/html; charset=utf-8')
    .send(build.pageWith(nonce));
}

function sendFile(file: RootFile, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { type, policy, body, etag } = file;
  void reply.headers({ 'cache-control': 'no-cache', 'content-security-policy': policy, etag });
  const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) ? reply.status(304).send() : reply.type(type).send(body);
}

/** A file that cannot be served is "not there": another reason would tell what lies beside it. */
function withoutReason(error: unknown): unknown {
  const { statusCode = 500, status = statusCode } = error as { status?: number; statusCode?: number };
  const isOfClient = status >= 400 && status < 500;
  return isOfClient ? new ProblemError('route_not_found', 'There is nothing at this address.') : error;
}
