import { ConcurrencyLimiter, Limits } from '@gatehouse/rate-limit';
import { Metrics } from '@gatehouse/telemetry';
import { Injectable } from '@nestjs/common';
import { IDENTITY_HEADER, InternalIdentitySigner } from '@gatehouse/auth';
import { CLIENT_REQUEST_ID_HEADER, ProblemError } from '@gatehouse/contracts-core';
import { clientAddress, requestIdsOf, type TrustedProxies } from '@gatehouse/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Credentials, isVerifiedByService } from '../credentials/credentials.ts';
import type { Identified } from '../credentials/introspection.ts';
import type { UpstreamResponse } from '../upstreams/exchange.ts';
import { requestHeaders, responseHeaders } from './forwarded-headers.ts';
import { GatewayConfig } from '../gateway.config.ts';
import type { Route } from '../routes.ts';
import { unavailable, type UpstreamRequest, Upstreams } from '../upstreams/upstreams.ts';

/** Limits the concurrent requests of one user or API key at this replica, across all of the user's sessions. */
@Injectable()
export class CallerConcurrency {
  /**
   * Counted for each service, so that a caller who floods one service does not delay that caller's requests to
   * others.
   */
  readonly requests: ConcurrencyLimiter;
  /** A large body stays in memory until its request has been answered. */
  readonly largeBodies: ConcurrencyLimiter;

  constructor(limits: Limits, metrics: Metrics) {
    this.requests = new ConcurrencyLimiter(limits.bound('requests'), metrics);
    this.largeBodies = new ConcurrencyLimiter(limits.bound('largeBodies'), metrics);
  }
}

/**
 * Forwards one request to its service, and the response to the client. Request bodies are buffered within the route's
 * limit. Responses are streamed, except small ones, whose headers and body go out in one write.
 */
@Injectable()
export class Proxy {
  private readonly trustedProxies: TrustedProxies;
  private readonly trace: boolean;
  private readonly eventStreams = new Set<() => void>();

  constructor(
    private readonly credentials: Credentials,
    private readonly signer: InternalIdentitySigner,
    private readonly upstreams: Upstreams,
    private readonly callerConcurrency: CallerConcurrency,
    config: GatewayConfig,
  ) {
    this.trustedProxies = config.proxies;
    this.trace = config.otelExporterOtlpEndpoint !== undefined;
  }

  /**
   * Checks the caller before a large body is read. {@link forward} checks again, because the session may be revoked
   * while the body arrives.
   * @throws ProblemError with 401 for a wrong or missing credential; rate_limited if the caller has too many large
   * bodies under way
   */
  async admitLargeBody({ credential }: Route, { headers }: FastifyRequest, { raw }: FastifyReply): Promise<void> {
    const caller = await this.credentials.identify(credential, headers);
    if (!caller) throw new ProblemError('not_authenticated', 'Sign in to use this route.');
    const { largeBodies } = this.callerConcurrency;
    const subject = caller.principal.id;
    if (!largeBodies.begin(subject)) await largeBodies.wait(subject, raw);
    if (raw.destroyed) largeBodies.end(subject);
    else raw.once('close', () => largeBodies.end(subject));
  }

  async forward(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    requirePlainEncoding(request);
    const caller = await this.credentials.identify(route.credential, request.headers);
    const answer = caller
      ? await this.respondWithinLimit(route, caller, request, reply)
      : await this.responseFor(route, null, request, reply);
    this.noteEventStream(answer, reply);
    return reply.status(answer.statusCode).headers(responseHeaders(answer.headers, route)).send(answer.body);
  }

  /**
   * Ends the event streams when the gateway shuts down, because they do not end by themselves; their clients
   * reconnect to another replica.
   */
  endEventStreams(): void {
    for (const end of this.eventStreams) end();
  }

  private noteEventStream({ headers, body }: UpstreamResponse, { raw }: FastifyReply): void {
    if (Buffer.isBuffer(body) || !String(headers['content-type']).startsWith('text/event-stream')) return;
    // The response ends before its source is destroyed, so that the client sees a regular end and not a broken
    // connection.
    const end = (): void => {
      body.unpipe();
      raw.end();
    };
    this.eventStreams.add(end);
    body.once('close', () => this.eventStreams.delete(end));
  }

  /** Holds a slot of the concurrency limiter until the response is complete or aborted. */
  private async respondWithinLimit(
    route: Route,
    caller: Identified,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<UpstreamResponse> {
    const { requests } = this.callerConcurrency;
    const subject = `${route.upstream} ${caller.principal.id}`;
    const waits = !requests.begin(subject);
    if (waits) await requests.wait(subject, reply.raw);
    try {
      // The session may have been revoked while the request waited.
      const answer = await this.responseFor(
        route,
        waits ? await this.credentials.identify(route.credential, request.headers) : caller,
        request,
        reply,
      );
      if (Buffer.isBuffer(answer.body) || answer.body.closed) requests.end(subject);
      else answer.body.once('close', () => requests.end(subject));
      return answer;
    } catch (error) {
      requests.end(subject);
      throw error;
    }
  }

  private async responseFor(
    route: Route,
    caller: Identified | null,
    request: FastifyRequest,
    { raw }: FastifyReply,
  ): Promise<UpstreamResponse> {
    const identity = await this.identityHeaders(route, caller, request);
    // The client has left, so no close event would abort a request that starts now.
    if (raw.destroyed) throw unavailable(new Error('the client has left'));
    return this.upstreams.request(
      route.upstream,
      {
        method: request.method as UpstreamRequest['method'],
        path: request.raw.url ?? '/',
        headers: {
          ...requestHeaders(request.headers, {
            cookies: route.cookies,
            authorization: isVerifiedByService(route.credential),
            trace: this.trace,
          }),
          ...identity,
        },
        body: request.body as Buffer | undefined,
      },
      { waits: route.waits, client: raw },
    );
  }

  private async identityHeaders(
    { upstream }: Route,
    caller: Identified | null,
    request: FastifyRequest,
  ): Promise<Record<string, string>> {
    const forwardedFor = request.headers['x-forwarded-for'];
    const ip = clientAddress(
      request.socket.remoteAddress ?? '',
      Array.isArray(forwardedFor) ? forwardedFor.join() : forwardedFor,
      this.trustedProxies,
    );
    const identity = { principal: caller?.principal ?? null, ip, service: null };
    const { requestId, clientRequestId } = requestIdsOf(request);
    return {
      'x-request-id': requestId,
      ...(clientRequestId !== undefined && { [CLIENT_REQUEST_ID_HEADER]: clientRequestId }),
      [IDENTITY_HEADER]: await this.signer.tokenFor(upstream, identity, caller?.version ?? 'anonymous'),
    };
  }
}

/** Limits count the bytes on the wire, so compressed bodies are rejected. */
function requirePlainEncoding({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new ProblemError('unsupported_media_type', 'Compressed bodies are not accepted.');
}
