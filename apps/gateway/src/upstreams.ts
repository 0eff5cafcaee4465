import { Refusal } from '@gatehouse/contracts-core';
import { setTimeout as wait } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import type { UpstreamName } from './routes.ts';

/** An agent that waits for commands is answered after 25 s at the latest. */
const HEADERS_TIMEOUT_MS = 30_000;
/** Event streams send something at least every 15 s. */
const SILENCE_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 2_000;
/** Shorter than the services keep idle connections, so that none is closed under a request. */
const KEEP_ALIVE_MS = 30_000;
const RETRY_AFTER_MS = [50, 200, 600];

export type UpstreamRequest = Omit<Dispatcher.RequestOptions, 'origin' | 'opaque'>;
export type UpstreamAnswer = Dispatcher.ResponseData;

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');
/** The service got nothing of the request. */
const wasRefused = (error: unknown): boolean => codeOf(error) === 'ECONNREFUSED';
const wasReset = (error: unknown): boolean => ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(codeOf(error));

/** Whether sending the request again cannot do anything twice. */
const mayRepeat = (method: string, error: unknown): boolean => wasRefused(error) || (wasReset(error) && (method === 'GET' || method === 'HEAD'));

/** Connections to the services behind the gateway. */
export class Upstreams {
  private readonly pools: ReadonlyMap<UpstreamName, Pool>;

  constructor(urls: Readonly<Record<UpstreamName, string>>) {
    const options: Pool.Options = { headersTimeout: HEADERS_TIMEOUT_MS, bodyTimeout: SILENCE_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS, connect: { timeout: CONNECT_TIMEOUT_MS } };
    const entries = Object.entries(urls) as [UpstreamName, string][];
    this.pools = new Map(entries.map(([name, url]) => [name, new Pool(new URL(url).origin, options)]));
  }

  /**
   * Sends a request whose body is wholly in memory, again after a moment where that is safe: a service that is just being replaced is not seen by the client.
   * @throws Refusal unavailable when there is no answer
   */
  async request(name: UpstreamName, request: UpstreamRequest): Promise<UpstreamAnswer> {
    const pool = this.pools.get(name);
    if (!pool) throw new Error(`there is no upstream ${name}`);
    for (const pauseMs of RETRY_AFTER_MS) {
      try {
        return await pool.request(request);
      } catch (error) {
        if (!mayRepeat(request.method, error)) throw unavailable(error);
        await wait(pauseMs);
      }
    }
    return pool.request(request).catch((error: unknown) => {
      throw unavailable(error);
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.destroy()));
  }
}

/** What a service that gives no (whole) answer is to the client; what went wrong is the cause, and never in the text. */
export function unavailable(cause: unknown): Refusal {
  const refusal = new Refusal('unavailable', 'This part of the product cannot answer at the moment; try again.', { retryAfterSeconds: 2 });
  refusal.cause = cause;
  return refusal;
}
