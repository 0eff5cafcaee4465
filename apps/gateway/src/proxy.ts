import { IDENTITY_HEADER, type InternalIdentitySigner } from '@gatehouse/auth';
import { Refusal } from '@gatehouse/contracts-core';
import { clientAddress, type TrustedProxies } from '@gatehouse/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventEmitter } from 'node:events';
import type { Credentials } from './credentials/credentials.ts';
import { requestHeaders, responseHeaders } from './forwarded-headers.ts';
import type { Route } from './routes.ts';
import { unavailable, type UpstreamAnswer, type UpstreamRequest, type Upstreams } from './upstreams.ts';

const NO_BODY_STATUSES = [204, 304];
/** Bytes. */
const SMALL_ANSWER = 64 * 1024;

/** Carries one request to its service and the answer back. Bodies go in whole, within the route's limit; answers are streamed. */
export class Proxy {
  private readonly eventStreams = new Set<() => void>();

  constructor(
    private readonly credentials: Credentials,
    private readonly signer: InternalIdentitySigner,
    private readonly upstreams: Upstreams,
    private readonly settings: { readonly trustedProxies: TrustedProxies; readonly trace: boolean },
  ) {}

  async forward(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    requirePlainEncoding(request);
    const identity = await this.identityHeaders(route, request);
    const answer = await this.upstreams.request(route.upstream, {
      method: request.method as UpstreamRequest['method'],
      path: request.raw.url ?? '/',
      headers: { ...requestHeaders(request.headers, { cookies: route.cookies, authorization: route.credential === 'agent', trace: this.settings.trace }), ...identity },
      body: request.body as Buffer | undefined,
      signal: whenClientLeaves(reply),
    }, route.waits ? 'waits' : 'answers');
    this.noteEventStream(answer, reply);
    return passBack(route, answer, reply);
  }

  /** Event streams have no end of their own, so a gateway that stops ends them; their readers connect again elsewhere. */
  endEventStreams(): void {
    for (const end of this.eventStreams) end();
  }

  private noteEventStream({ headers, body }: UpstreamAnswer, { raw }: FastifyReply): void {
    if (!String(headers['content-type']).startsWith('text/event-stream')) return;
    // Ended before its source goes away, so that the reader sees an end and no broken connection.
    const end = (): void => {
      body.unpipe();
      raw.end();
    };
    this.eventStreams.add(end);
    body.once('close', () => this.eventStreams.delete(end));
  }

  private async identityHeaders({ credential, upstream }: Route, request: FastifyRequest): Promise<Record<string, string>> {
    const identified = await this.credentials.identify(credential, request.headers);
    const forwardedFor = request.headers['x-forwarded-for'];
    const ip = clientAddress(request.socket.remoteAddress ?? '', Array.isArray(forwardedFor) ? forwardedFor.join() : forwardedFor, this.settings.trustedProxies);
    const identity = { principal: identified?.principal ?? null, ip, service: null };
    return { 'x-request-id': String(request.id), [IDENTITY_HEADER]: await this.signer.tokenFor(upstream, identity, identified?.version ?? 'anonymous') };
  }
}

/** Limits count the bytes on the wire, so nothing compressed is taken. */
function requirePlainEncoding({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw new Refusal('unsupported_media_type', 'Compressed bodies are not taken.');
}

/** An emitter does for the client library what an AbortSignal would, at a fraction of the price on every request. */
function whenClientLeaves({ raw }: FastifyReply): EventEmitter {
  const left = new EventEmitter();
  raw.once('close', () => raw.writableFinished || left.emit('abort'));
  return left;
}

async function wholeOf(body: UpstreamAnswer['body']): Promise<Buffer> {
  try {
    return Buffer.from(await body.arrayBuffer());
  } catch (error) {
    throw unavailable(error);
  }
}

/** Streamed, unless it is known to be small: then one write carries headers and body together. */
async function passBack(route: Route, { statusCode, headers, body }: UpstreamAnswer, reply: FastifyReply): Promise<FastifyReply> {
  void reply.status(statusCode).headers(responseHeaders(headers, route));
  const length = Number(headers['content-length']);
  if (length <= SMALL_ANSWER) return reply.send(await wholeOf(body));
  if (!NO_BODY_STATUSES.includes(statusCode)) return reply.send(body);
  await body.dump();
  return reply.send();
}
