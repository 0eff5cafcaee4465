import { ProblemError } from '@gatehouse/contracts-core';
import type { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import { Exchange, type UpstreamResponse } from './exchange.ts';
import type { UpstreamName } from './routes.ts';

/** An agent that waits for commands is answered after 25 s at the latest. */
const HEADERS_TIMEOUT_MS = 30_000;
/** Event streams send something at least every 15 s. */
const SILENCE_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 2_000;
/**
 * Shorter than the services keep idle connections, so that none is closed under a request; where they drain, they name
 * a shorter time themselves.
 */
const KEEP_ALIVE_MS = 30_000;
/**
 * A request that is not answered by then may be with a replica that is frozen: the connections to it stay open, and
 * would get more.
 */
const SILENT_MS = 3_000;
const POOL: Pool.Options = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  bodyTimeout: SILENCE_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  keepAliveMaxTimeout: KEEP_ALIVE_MS,
  connect: { timeout: CONNECT_TIMEOUT_MS },
};
const RETRY_AFTER_MS = [50, 200, 600];

export type UpstreamRequest = Pick<Dispatcher.DispatchOptions, 'method' | 'path' | 'headers' | 'body'>;

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');
/** There was no connection, so the service got nothing of the request. */
const wasNotSent = (error: unknown): boolean =>
  ['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'].includes(codeOf(error)) ||
  (error instanceof Error && 'syscall' in error && error.syscall === 'connect');
const wasReset = (error: unknown): boolean => ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(codeOf(error));

/** Whether sending the request again cannot do anything twice. */
const mayRepeat = (error: unknown, method: string, { idempotent }: Terms): boolean =>
  wasNotSent(error) || (wasReset(error) && (idempotent === true || method === 'GET' || method === 'HEAD'));

export interface Terms {
  /** Sent twice it does no more than sent once, whatever its method (RFC 9110 9.2.2). */
  readonly idempotent?: boolean;
  /** A long silence is how this request works, and says nothing about the service. */
  readonly waits?: boolean;
  /** Says `close` when nobody waits for the answer any more. */
  readonly client?: EventEmitter;
}

/** Connections to one service. Behind its one address are replicas, which the gateway cannot tell apart. */
class Upstream {
  private pool: Pool;

  constructor(private readonly origin: string) {
    this.pool = new Pool(origin, POOL);
  }

  async request(request: UpstreamRequest, { waits, client }: Terms): Promise<UpstreamResponse> {
    const { pool } = this;
    const silence = waits ? undefined : setTimeout(() => this.leave(pool), SILENT_MS);
    const exchange = new Exchange();
    client?.once('close', () => exchange.abort());
    try {
      pool.dispatch(request, exchange);
      return await exchange.answer;
    } finally {
      clearTimeout(silence);
    }
  }

  close(): Promise<void> {
    return this.pool.destroy();
  }

  /** New requests get new connections, which go to replicas that are well; what is under way may still be answered. */
  private leave(pool: Pool): void {
    if (this.pool !== pool) return;
    this.pool = new Pool(this.origin, POOL);
    void pool.close();
  }
}

/** The services behind the gateway. */
export class Upstreams {
  private readonly services: ReadonlyMap<UpstreamName, Upstream>;

  constructor(urls: Readonly<Record<UpstreamName, string>>) {
    const entries = Object.entries(urls) as [UpstreamName, string][];
    this.services = new Map(entries.map(([name, url]) => [name, new Upstream(new URL(url).origin)]));
  }

  /**
   * Sends a request whose body is wholly in memory, again after a moment where that is safe: a service that is just
   * being replaced is not seen by the client.
   * @throws ProblemError unavailable when there is no answer
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
 * What a service that gives no (whole) answer is to the client; what went wrong is the cause, and never in the text.
 */
export function unavailable(cause: unknown): ProblemError {
  const problem = new ProblemError('unavailable', 'This part of the product cannot answer at the moment; try again.', {
    retryAfterSeconds: 2,
  });
  problem.cause = cause;
  return problem;
}
