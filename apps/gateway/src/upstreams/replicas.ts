import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { buildConnector, Client, type Dispatcher } from 'undici';
import type { Exchange, UpstreamResponse } from './exchange.ts';

/** The addresses of a name. */
export type LookUp = (name: string) => Promise<readonly string[]>;

/** As long as the name server of a cluster lets its answers be kept. */
const LOOK_UP_AGAIN_MS = 5_000;
/** Bounded, because behind an address that replicas share a connection stays at the one that took it. */
const CONNECTION_LIFE_MS = 60_000;
/** A replica at which a request failed gets no new one for this time while there is another. */
const PASS_OVER_MS = 10_000;

const systemLookUp: LookUp = async (name) => (await lookup(name, { all: true })).map(({ address }) => address);
const ignore = (): void => undefined;

/**
 * The connections to one replica, one for each request under way. The idle ones are kept apart: a pool would search
 * all of its connections for one, which are thousands where requests wait.
 */
class Replica {
  waiting = 0;
  failedAt = -Infinity;
  private readonly idle = new Set<Client>();
  private readonly openedAt = new WeakMap<Client, number>();
  private isClosed = false;

  constructor(
    readonly address: string,
    private readonly origin: string,
    private readonly options: Client.Options,
  ) {}

  async send(request: Dispatcher.DispatchOptions, exchange: Exchange): Promise<UpstreamResponse> {
    const client = this.connection();
    this.waiting++;
    let isFree = false;
    try {
      client.dispatch(request, exchange);
      const answer = await exchange.answer;
      isFree = Buffer.isBuffer(answer.body);
      return answer;
    } catch (error) {
      if (!exchange.isAborted) this.failedAt = performance.now();
      throw error;
    } finally {
      this.waiting--;
      const age = performance.now() - (this.openedAt.get(client) ?? 0);
      if (isFree && !this.isClosed && age < CONNECTION_LIFE_MS) this.idle.add(client);
      else client.close(ignore);
    }
  }

  /** Requests under way are still answered. */
  close(): void {
    this.isClosed = true;
    for (const client of this.idle) client.close(ignore);
  }

  private connection(): Client {
    for (const client of this.idle) {
      this.idle.delete(client);
      return client;
    }
    const client = new Client(this.origin, this.options);
    this.openedAt.set(client, performance.now());
    return client.on('disconnect', () => this.idle.delete(client));
  }
}

/**
 * Spreads requests that wait over the replicas of a service: each goes to the one with the fewest. A name with one
 * address, which replicas may share, counts as one replica.
 */
export class Replicas {
  private known: readonly Replica[] = [];
  private knownSince = -Infinity;
  private lookingUp: Promise<void> | null = null;
  private readonly url: URL;
  private readonly options: Client.Options;

  constructor(
    url: string,
    options: Client.Options & { readonly connect: buildConnector.BuildOptions },
    private readonly lookUp: LookUp = systemLookUp,
  ) {
    this.url = new URL(url);
    const { hostname: servername } = this.url;
    this.options = { ...options, connect: buildConnector({ ...options.connect, servername }) };
  }

  async send(request: Dispatcher.DispatchOptions, exchange: Exchange): Promise<UpstreamResponse> {
    if (performance.now() - this.knownSince >= LOOK_UP_AGAIN_MS) {
      const renewed = (this.lookingUp ??= this.renew().finally(() => (this.lookingUp = null)));
      // What is known serves until then, and also while no name server answers.
      if (this.known.length === 0) await renewed;
      else renewed.catch(ignore);
    }
    return this.leastBusy().send(request, exchange);
  }

  close(): void {
    for (const replica of this.known) replica.close();
  }

  private leastBusy(): Replica {
    const until = performance.now() - PASS_OVER_MS;
    const sound = this.known.filter(({ failedAt }) => failedAt < until);
    return (sound.length > 0 ? sound : this.known).reduce((least, one) => (one.waiting < least.waiting ? one : least));
  }

  private async renew(): Promise<void> {
    const { protocol, hostname, port } = this.url;
    const addresses = new Set(await this.lookUp(hostname.replace(/^\[|\]$/g, '')));
    const former = this.known;
    this.known = [...addresses].map((address) => {
      const origin = `${protocol}//${isIPv6(address) ? `[${address}]` : address}${port && `:${port}`}`;
      return former.find((one) => one.address === address) ?? new Replica(address, origin, this.options);
    });
    this.knownSince = performance.now();
    for (const one of former) if (!this.known.includes(one)) one.close();
  }
}
