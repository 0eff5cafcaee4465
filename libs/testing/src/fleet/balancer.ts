import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const HOST = '127.0.0.1';
const PROBE_EVERY_MS = 200;
/** Long, because a machine under test is busy. */
const PROBE_TIMEOUT_MS = 4_000;

/** The ports of one replica of a service. */
export interface Target {
  readonly port: number;
  readonly adminPort: number;
}

interface Member extends Target {
  listed: boolean;
}

/**
 * Imitates a Kubernetes Service: distributes connections over the ready replicas in rotation, and still sends new
 * connections to a replica for a while after it has stopped being ready, as nodes do until they learn of it. Existing
 * connections stay open.
 */
export class Balancer {
  /**
   * The number of milliseconds without an answer after which a replica counts as not ready: a frozen replica accepts
   * the probe but does not answer.
   */
  probeTimeoutMs = PROBE_TIMEOUT_MS;
  /** The time, in milliseconds, for which a replica still gets new connections after a failed probe. */
  lagMs: number;
  private turn = 0;
  private readonly leaving = new AbortController();
  private watching: Promise<unknown> = Promise.resolve();
  private readonly members: readonly Member[];
  private readonly open = new Set<Socket>();
  private readonly server: Server;

  private constructor(targets: readonly Target[], lagMs: number) {
    this.lagMs = lagMs;
    this.members = targets.map(({ port, adminPort }) => ({ port, adminPort, listed: false }));
    this.server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.connect(client));
  }

  /** @param port on 127.0.0.1 */
  static async start(port: number, targets: readonly Target[], lagMs: number): Promise<Balancer> {
    const balancer = new Balancer(targets, lagMs);
    balancer.server.listen(port, HOST);
    await once(balancer.server, 'listening');
    balancer.watching = Promise.allSettled(balancer.members.map((member) => balancer.watch(member)));
    return balancer;
  }

  get url(): string {
    return `http://${HOST}:${(this.server.address() as AddressInfo).port}`;
  }

  /** The ports of the replicas that currently get new connections. */
  get listed(): number[] {
    return this.members.filter(({ listed }) => listed).map(({ port }) => port);
  }

  async stop(): Promise<void> {
    this.leaving.abort();
    this.server.close();
    for (const socket of this.open) socket.destroy();
    await this.watching;
  }

  private connect(client: Socket): void {
    const ready = this.members.filter(({ listed }) => listed);
    const member = ready[this.turn++ % Math.max(1, ready.length)];
    if (!member) return void client.resetAndDestroy();
    const replica = new Socket({ allowHalfOpen: true });
    replica.setNoDelay(true).connect(member.port, HOST);
    this.join(client, replica);
    this.join(replica, client);
  }

  /** Passes a clean end on as a clean end and a reset as a reset. */
  private join(from: Socket, to: Socket): void {
    this.open.add(from);
    from.pipe(to);
    from.once('error', () => to.resetAndDestroy());
    from.once('close', () => this.open.delete(from));
  }

  private async watch(member: Member): Promise<void> {
    for (; ; await this.pause(PROBE_EVERY_MS)) {
      const ready = await isReady(member, this.probeTimeoutMs);
      if (!ready && member.listed) await this.pause(this.lagMs);
      member.listed = ready;
    }
  }

  /** Rejects when the balancer is stopped. */
  private pause(ms: number): Promise<void> {
    return wait(ms, undefined, { signal: this.leaving.signal });
  }
}

const isReady = ({ adminPort }: Target, timeoutMs: number): Promise<boolean> =>
  fetch(`http://${HOST}:${adminPort}/health/ready`, {
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(timeoutMs),
  }).then(
    async (answer) => (await answer.body?.cancel(), answer.ok),
    () => false,
  );
