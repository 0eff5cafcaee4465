import { IDENTITY_HEADER, type InternalIdentitySigner } from '@gatehouse/auth';
import { Refusal } from '@gatehouse/contracts-core';
import { clientAddress, type TrustedProxies } from '@gatehouse/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Credentials } from './credentials/credentials.ts';
import type { UpstreamAnswer } from './exchange.ts';
import { requestHeaders, responseHeaders } from './forwarded-headers.ts';
import type { Route } from './routes.ts';
import type { UpstreamRequest, Upstreams } from './upstreams.ts';

/** Carries one request to its service and the answer back. Bodies go in whole, within the route's limit; answers are streamed, save small ones: then one write carries headers and body together. */
export class Proxy {
  private readonly eventStreams = new Set<() => void>();

  constructor(
    private readonly credentials: Credentials,
    private readonly signer: InternalIdentitySigner,
    private readonly upstreams: Upstreams,
    private readonly settings: { readonly trustedProxies: TrustedProxies; readonly trace: boolean },
  ) {}

  /**
   * For what is asked before the body is read; {@link forward} finds out again, for a session may end while the body comes in.
   * @throws Refusal with 401 for a wrong credential, and for none
   */
  async requireCaller({ credential }: Route, { headers }: FastifyRequest): Promise<void> {
    if (!(await this.credentials.identify(credential, headers))) throw new Refusal('not_authenticated', 'Sign in to use this route.');
  }

  async forward(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    requirePlainEncoding(request);
    const identity = await this.identityHeaders(route, request);
    const answer = await this.upstreams.request(route.upstream, {
      method: request.method as UpstreamRequest['method'],
      path: request.raw.url ?? '/',
      headers: { ...requestHeaders(request.headers, { cookies: route.cookies, authorization: route.credential === 'agent', trace: this.settings.trace }), ...identity },
      body: request.body as Buffer | undefined,
    }, { waits: route.waits, client: reply.raw });
    this.noteEventStream(answer, reply);
    return reply.status(answer.statusCode).headers(responseHeaders(answer.headers, route)).send(answer.body);
  }

  /** Event streams have no end of their own, so a gateway that stops ends them; their readers connect again elsewhere. */
  endEventStreams(): void {
    for (const end of this.eventStreams) end();
  }

  private noteEventStream({ headers, body }: UpstreamAnswer, { raw }: FastifyReply): void {
    if (Buffer.isBuffer(body) || !String(headers['content-type']).startsWith('text/event-stream')) return;
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
