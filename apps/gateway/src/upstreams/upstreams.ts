import { ProblemError, type UpstreamName } from '@gatehouse/contracts-core';
import type { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import { Exchange, type UpstreamResponse } from './exchange.ts';
import { type LookUp, Replicas } from './replicas.ts';

/** An agent's long poll for commands is answered after 25 s at the latest. */
const HEADERS_TIMEOUT_MS = 30_000;
/** Event streams send something at least every 15 s. */
const SILENCE_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 2_000;
/**
 * Shorter than the services keep idle connections, so that a service never closes a connection under a request. A
 * service that drains announces a shorter time itself.
 */
const KEEP_ALIVE_MS = 30_000;
/** A request without a response after this time may be at a frozen replica: new requests then use new connections. */
const SILENT_MS = 3_000;
const POOL = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  bodyTimeout: SILENCE_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  keepAliveMaxTimeout: KEEP_ALIVE_MS,
  connect: { timeout: CONNECT_TIMEOUT_MS },
} satisfies Pool.Options;
const RETRY_AFTER_MS = [50, 200, 600];

export type UpstreamRequest = Pick<Dispatcher.DispatchOptions, 'method' | 'path' | 'headers' | 'body'>;

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');
/** The connection could not be opened, so the service did not receive the request. */
const wasNotSent = (error: unknown): boolean =>
  ['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'].includes(codeOf(error)) ||
  (error instanceof Error && 'syscall' in error && error.syscall === 'connect');
const wasReset = (error: unknown): boolean => ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(codeOf(error));

/** Whether a retry cannot apply the request twice. */
const mayRepeat = (error: unknown, method: string, { idempotent }: Terms): boolean =>
  wasNotSent(error) || (wasReset(error) && (idempotent === true || method === 'GET' || method === 'HEAD'));

export interface Terms {
  /** A repeated request has the same effect as a single one, whatever its method (RFC 9110 9.2.2). */
  readonly idempotent?: boolean;
  /** The request is a long poll: a late response does not indicate a fault of the service. */
  readonly waits?: boolean;
  /** Emits `close` when the client no longer waits for the response. */
  readonly client?: EventEmitter;
}

/**
 * The connections to one service. Its replicas share one address, so the gateway cannot distinguish them, but where it
 * keeps connections for long: at long polls.
 */
class Upstream {
  private pool: Pool;

  constructor(
    private readonly origin: string,
    private readonly replicas: Replicas,
  ) {
    this.pool = new Pool(origin, POOL);
  }

  async request(request: UpstreamRequest, { waits, client }: Terms): Promise<UpstreamResponse> {
    const { pool } = this;
    const silence = waits ? undefined : setTimeout(() => this.leave(pool), SILENT_MS);
    const exchange = new Exchange();
    client?.once('close', () => exchange.abort());
    try {
      if (waits) return await this.replicas.send(request, exchange);
      pool.dispatch(request, exchange);
      return await exchange.answer;
    } finally {
      clearTimeout(silence);
    }
  }

  close(): Promise<void> {
    this.replicas.close();
    return this.pool.destroy();
  }

  /** Gives new requests new connections, which lead to healthy replicas; requests under way may still be answered. */
  private leave(pool: Pool): void {
    if (this.pool !== pool) return;
    this.pool = new Pool(this.origin, POOL);
    void pool.close();
  }
}

/** The services behind the gateway. */
export class Upstreams {
  private readonly services: ReadonlyMap<UpstreamName, Upstream>;

  /** @param replicaUrls addresses whose names stand for each replica of a service, where there are such */
  constructor(
    urls: Readonly<Record<UpstreamName, string>>,
    replicaUrls: Readonly<Partial<Record<UpstreamName, string>>> = {},
    lookUp?: LookUp,
  ) {
    const entries = Object.entries(urls) as [UpstreamName, string][];
    const upstream = (name: UpstreamName, url: string): Upstream =>
      new Upstream(new URL(url).origin, new Replicas(replicaUrls[name] ?? url, POOL, lookUp));
    this.services = new Map(entries.map(([name, url]) => [name, upstream(name, url)]));
  }

  /**
   * Sends a request whose body is in memory, and retries it after a short delay if that is safe, so that replacing a
   * service does not affect clients.
   * @throws ProblemError unavailable if there is no response
   */
  async request(name: UpstreamName, request: UpstreamRequest, terms: Terms = {}): Promise<UpstreamResponse> {
    const service = this.services.get(name);
    if (!service) throw new Error(`there is no upstream ${name}`);
    for (const pauseMs of RETRY_AFTER_MS) {
      try {
        return await service.request(request, terms);
      } catch (error) {
        if (!mayRepeat(error, request.method, terms)) throw unavailable(error);
        await wait(pauseMs);
      }
    }
    return service.request(request, terms).catch((error: unknown) => {
      throw unavailable(error);
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.services.values()].map((service) => service.close()));
  }
}

/**
 * The problem for a service that sends no (complete) response. The error is its cause and does not appear in its
 * text.
 */
export function unavailable(cause: unknown): ProblemError {
  const problem = new ProblemError('unavailable', 'This part of the product is not available now; try again.', {
    retryAfterSeconds: 2,
  });
  problem.cause = cause;
  return problem;
}
