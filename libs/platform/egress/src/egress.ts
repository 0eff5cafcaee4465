import type { Metrics } from '@gatehouse/telemetry';
import type { promises } from 'node:dns';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { Agent, buildConnector, errors } from 'undici';
import { CollectedResponse } from './collected-response.ts';
import {
  type Allowances,
  checkTarget,
  EGRESS_FAULTS,
  EgressError,
  hostAndPort,
  isWebPort,
  tooLarge,
} from './egress-target.ts';

import {
  isPublicAddress,
  mayLeadTo,
  resolverFor,
  unvettedLookup,
  vettedAddressesOf,
  vettedLookup,
} from './vetted-lookup.ts';

/**
 * Bounds the requests under way for each compartment (an identity provider) and overall, so that one slow provider
 * cannot use up all connections. A request beyond a bound is refused at once; there is no queue.
 */
class EgressConcurrencyLimiter {
  private readonly inFlight = new Map<string, number>();
  private total = 0;

  constructor(
    private readonly perCompartment: number,
    private readonly overall: number,
  ) {}

  get underWay(): number {
    return this.total;
  }

  /** @throws EgressError busy */
  async run<T>(compartment: string, work: () => Promise<T>): Promise<T> {
    const used = this.inFlight.get(compartment) ?? 0;
    if (used >= this.perCompartment || this.total >= this.overall)
      throw new EgressError('busy', `too many requests under way to ${compartment}`);
    this.inFlight.set(compartment, used + 1);
    this.total += 1;
    try {
      return await work();
    } finally {
      this.leave(compartment);
    }
  }

  private leave(compartment: string): void {
    this.total -= 1;
    const remaining = (this.inFlight.get(compartment) ?? 1) - 1;
    if (remaining === 0) this.inFlight.delete(compartment);
    else this.inFlight.set(compartment, remaining);
  }
}

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};
type Coding = keyof typeof DECODERS;
const isCoding = (name: string): name is Coding => Object.hasOwn(DECODERS, name);

/** @throws EgressError too_large, malformed */
async function decodeBody(body: Buffer, contentEncoding: string | undefined, maxBytes: number): Promise<string> {
  const coding = contentEncoding?.trim().toLowerCase() ?? '';
  if (coding === 'identity' || coding === '') return body.toString('utf8');
  if (!isCoding(coding)) throw new EgressError('malformed', 'the answer has an unknown content coding');
  try {
    return (await DECODERS[coding](body, { maxOutputLength: maxBytes })).toString('utf8');
  } catch (error) {
    const isBomb = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw isBomb
      ? tooLarge(maxBytes, error)
      : new EgressError('malformed', 'the answer cannot be decoded', { cause: error });
  }
}

export interface EgressOptions {
  readonly allowances: Allowances;
  /** Comma-separated `address:port` pairs; the system's servers by default. */
  readonly dnsServers?: string | undefined;
  /** For the whole request: name resolution, connection and response. Default 5 000. */
  readonly timeoutMs?: number;
  /** Limit for the decoded response. Default 512 KB. */
  readonly maxBytes?: number;
  readonly perCompartment?: number;
  readonly overall?: number;
  readonly metrics?: Metrics;
}

export interface EgressRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The compartment whose share of the connections this request uses: the id of the provider. */
  readonly compartment: string;
}

export interface EgressResponse {
  readonly status: number;
  readonly contentType: string;
  /** The header as it was sent; empty without one. */
  readonly retryAfter: string;
  readonly text: string;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 512 * 1024;
const PER_COMPARTMENT = 64;
const OVERALL = 256;
const TIMEOUTS = [errors.HeadersTimeoutError, errors.BodyTimeoutError, errors.ConnectTimeoutError];

/** undici may wrap an EgressError with which this class ended a connection. */
function faultOf(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const { cause } = error as Error;
  if (cause instanceof EgressError) return cause;
  const isLate = TIMEOUTS.some((kind) => error instanceof kind);
  return isLate
    ? new EgressError('timeout', 'the answer took too long', { cause: error })
    : new EgressError('unreachable', 'the host cannot be reached', { cause: error });
}

/**
 * The only way to send requests to addresses that a tenant configured (SSO-06): https and public addresses only,
 * except private places that the installation opened; no redirects, with limits on time, size and concurrency.
 * @example const { status, text } = await egress.fetch(provider.tokenUrl, { method: 'POST', body, compartment:
 * provider.id });
 */
export class Egress {
  private readonly resolver: promises.Resolver;
  private readonly vetted: Agent;
  private readonly allowed: Agent;
  private readonly limiter: EgressConcurrencyLimiter;
  private readonly timeoutMs: number;
  private readonly maxBytes: number;
  private readonly outcomes: ReturnType<Metrics['counter']> | undefined;

  constructor(private readonly options: EgressOptions) {
    this.outcomes = options.metrics?.counter(
      'gatehouse_egress_requests_total',
      'Requests to addresses of tenants, by outcome; busy: held back by the bulkhead',
      { outcome: ['answered', 'failed', ...EGRESS_FAULTS] },
    );
    this.timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.maxBytes = options.maxBytes ?? MAX_BYTES;
    this.resolver = resolverFor(options.dnsServers);
    this.limiter = new EgressConcurrencyLimiter(options.perCompartment ?? PER_COMPARTMENT, options.overall ?? OVERALL);
    if (options.metrics) this.watch(options.metrics);
    const lookup = vettedLookup(this.resolver, options.allowances.privatePlaces);
    this.vetted = this.agent(buildConnector({ lookup, timeout: this.timeoutMs }), true);
    this.allowed = this.agent(buildConnector({ lookup: unvettedLookup, timeout: this.timeoutMs }), false);
  }

  /** @throws EgressError for a refused address, and for a response that is missing, too large or a redirect */
  async fetch(address: string, request: EgressRequest): Promise<EgressResponse> {
    try {
      const answer = await this.fetchWithin(address, request);
      this.outcomes?.inc({ outcome: 'answered' });
      return answer;
    } catch (error) {
      this.outcomes?.inc({ outcome: error instanceof EgressError ? error.fault : 'failed' });
      throw error;
    }
  }

  private fetchWithin(
    address: string,
    { compartment, method = 'GET', headers = {}, body }: EgressRequest,
  ): Promise<EgressResponse> {
    return this.limiter.run(compartment, async () => {
      const url = checkTarget(address, this.options.allowances);
      const answer = new CollectedResponse(this.maxBytes);
      const deadline = setTimeout(
        () => answer.fail(new EgressError('timeout', 'the answer took too long')),
        this.timeoutMs,
      );
      try {
        const sent = { accept: 'application/json', 'accept-encoding': 'gzip, identity', ...headers };
        this.dispatcherFor(url).dispatch(
          { origin: url.origin, path: `${url.pathname}${url.search}`, method, headers: sent, body: body ?? null },
          answer,
        );
        const { status, headers: received, body: raw } = await answer.whole;
        return {
          status,
          contentType: single(received['content-type']) ?? '',
          retryAfter: single(received['retry-after']) ?? '',
          text: await decodeBody(raw, single(received['content-encoding']), this.maxBytes),
        };
      } catch (error) {
        throw faultOf(error);
      } finally {
        clearTimeout(deadline);
      }
    });
  }

  /**
   * Checks whether an address may be used, without sending a request: its form, and the addresses its name resolves to
   * now.
   * @throws EgressError
   */
  async vet(address: string): Promise<void> {
    const { allowances } = this.options;
    const url = checkTarget(address, allowances);
    if (!allowances.hosts.has(hostAndPort(url)))
      await vettedAddressesOf(url.hostname, this.resolver, allowances.privatePlaces);
  }

  /** Whether a server of the web may be expected at the port of an address, or the operator opened it (SSO-86). */
  mayUsePort(address: string): boolean {
    const { hosts, privatePlaces } = this.options.allowances;
    const url = URL.canParse(address) ? new URL(address) : null;
    return !url || isWebPort(url) || hosts.has(hostAndPort(url)) || privatePlaces.names(url.hostname);
  }

  /**
   * Whether an address leads, or may lead, to a place that the operator opened inside the network.
   * @throws EgressError
   */
  async isInside(address: string): Promise<boolean> {
    const { allowances } = this.options;
    const url = checkTarget(address, allowances);
    if (allowances.hosts.has(hostAndPort(url))) return true;
    const found = await vettedAddressesOf(url.hostname, this.resolver, allowances.privatePlaces);
    return !found.every(({ address: one }) => isPublicAddress(one));
  }

  async close(): Promise<void> {
    this.resolver.cancel();
    await Promise.all([this.vetted.destroy(), this.allowed.destroy()]);
  }

  private watch(metrics: Metrics): void {
    const underWay = metrics.gauge('gatehouse_egress_under_way', 'Requests to addresses of tenants that are under way');
    const limit = metrics.gauge('gatehouse_egress_limit', 'How many of them there may be');
    metrics.atScrape([underWay, limit], async () => [
      { of: underWay, value: this.limiter.underWay },
      { of: limit, value: this.options.overall ?? OVERALL },
    ]);
  }

  private dispatcherFor(url: URL): Agent {
    return this.options.allowances.hosts.has(hostAndPort(url)) ? this.allowed : this.vetted;
  }

  /** undici does not call `lookup` for IP literals, so the address of the connected socket is checked as well. */
  private agent(connect: buildConnector.connector, isVetted: boolean): Agent {
    return new Agent({
      connections: this.options.perCompartment ?? PER_COMPARTMENT,
      headersTimeout: this.timeoutMs,
      bodyTimeout: this.timeoutMs,
      connect: (options, callback) => {
        if (isVetted && isIP(options.hostname) !== 0)
          return callback(new EgressError('address_refused', 'the host is an IP address'), null);
        connect(options, (...[error, socket]) => {
          if (error) return callback(error, null);
          const address = socket.remoteAddress ?? '';
          if (!isVetted || mayLeadTo(options.hostname, address, this.options.allowances.privatePlaces))
            return callback(null, socket);
          socket.destroy();
          callback(new EgressError('address_refused', 'the connection led to a private address'), null);
        });
      },
    });
  }
}

const single = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(',') : header;
