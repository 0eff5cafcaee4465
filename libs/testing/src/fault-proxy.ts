import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * The behaviour of the network. `hold`: as in a partition or a stall, bytes wait and are delivered when it ends, unless
 * the connection ends first (also in one direction only). `reset`: existing and new connections are cut. `cut`: a
 * connection is cut after the given number of further answer bytes.
 */
export type Fault =
  | { readonly kind: 'pass' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'hold'; readonly only?: 'requests' | 'answers' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'cut'; readonly afterBytes: number };

type Direction = 'requests' | 'answers';

interface Loss {
  /** Identifies the connection: bytes that its client sends. */
  readonly marker: string;
  /** The request on that connection whose answer is lost. */
  readonly request: string;
  readonly happened: () => void;
}

const LOSS_MS = 300;

/** One direction of a connection: received bytes leave in order, as soon as the fault permits. */
class Lane {
  private readonly waiting: { readonly bytes: Buffer; readonly dueAt: number }[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly to: Socket,
    private readonly isHeld: () => boolean,
  ) {}

  push(bytes: Buffer, delayMs: number): void {
    this.waiting.push({ bytes, dueAt: performance.now() + delayMs });
    this.flush();
  }

  flush(): void {
    clearTimeout(this.timer);
    while (!this.isHeld() && this.waiting[0] && this.waiting[0].dueAt <= performance.now())
      this.to.write(this.waiting.shift()?.bytes ?? '');
    const [next] = this.waiting;
    if (next && !this.isHeld()) this.timer = setTimeout(() => this.flush(), Math.ceil(next.dueAt - performance.now()));
  }
}

class Connection {
  private readonly lanes: Record<Direction, Lane>;
  private loss: Loss | null = null;
  private losesNextAnswer = false;
  private losing: NodeJS.Timeout | undefined;
  private answered = 0;

  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
    private readonly proxy: FaultProxy,
  ) {
    this.lanes = {
      requests: new Lane(server, () => proxy.holds('requests')),
      answers: new Lane(client, () => proxy.holds('answers')),
    };
    client.on('data', (bytes) => this.request(bytes));
    server.on('data', (bytes) => this.answer(bytes));
  }

  flush(): void {
    this.lanes.requests.flush();
    this.lanes.answers.flush();
  }

  reset(): void {
    this.client.resetAndDestroy();
    this.server.destroy();
  }

  /** Drops the whole answer, which may arrive in pieces, so that the server can finish it. */
  private lose(): void {
    this.losing ??= setTimeout(() => {
      this.reset();
      this.loss?.happened();
    }, LOSS_MS);
  }

  private request(bytes: Buffer): void {
    this.loss ??= this.proxy.lossMarkedIn(bytes);
    if (this.loss && bytes.includes(this.loss.request)) this.losesNextAnswer = true;
    this.lanes.requests.push(bytes, this.proxy.delayMs);
  }

  private answer(bytes: Buffer): void {
    if (this.losesNextAnswer) return this.lose();
    this.answered += bytes.length;
    const { fault } = this.proxy;
    if (fault.kind === 'cut' && this.answered > fault.afterBytes) return this.reset();
    this.lanes.answers.push(bytes, this.proxy.delayMs);
  }
}

/** A proxy between a client and a server, in which a test can cause network faults. */
export class FaultProxy {
  private readonly connections = new Set<Connection>();
  private losses: Loss[] = [];
  private current: Fault = { kind: 'pass' };

  private constructor(
    private readonly server: Server,
    private readonly target: { readonly host: string; readonly port: number },
  ) {
    server.on('connection', (client) => this.accept(client));
  }

  /** @param url of the server, with a port */
  static async before(url: string): Promise<FaultProxy> {
    const { hostname, port } = new URL(url);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultProxy(server, { host: hostname, port: Number(port) });
  }

  get fault(): Fault {
    return this.current;
  }

  get delayMs(): number {
    return this.current.kind === 'delay' ? this.current.ms : 0;
  }

  /** The same address with the host and port of this proxy. */
  through(url: string): string {
    const changed = new URL(url);
    changed.hostname = '127.0.0.1';
    changed.port = String((this.server.address() as AddressInfo).port);
    return changed.href;
  }

  set(fault: Fault): void {
    this.current = fault;
    if (fault.kind === 'reset') this.resetAll();
    for (const connection of this.connections) connection.flush();
  }

  /** Cuts all current connections; new ones are subject to the current fault. */
  resetAll(): void {
    for (const connection of this.connections) connection.reset();
  }

  holds(direction: Direction): boolean {
    return this.current.kind === 'hold' && (this.current.only === undefined || this.current.only === direction);
  }

  /**
   * On the connection that carries `marker`, drops the server's answer to `request` (when omitted, to the marked one
   * itself) and cuts the connection. Resolves when that has happened.
   */
  loseAnswer(marker: string, request = marker): Promise<void> {
    return new Promise((happened) => this.losses.push({ marker, request, happened }));
  }

  lossMarkedIn(bytes: Buffer): Loss | null {
    const found = this.losses.find(({ marker }) => bytes.includes(marker)) ?? null;
    this.losses = this.losses.filter((loss) => loss !== found);
    return found;
  }

  async stop(): Promise<void> {
    this.resetAll();
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(client: Socket): void {
    if (this.current.kind === 'reset') {
      client.on('error', () => undefined).resetAndDestroy();
      return;
    }
    const server = connect(this.target);
    const connection = new Connection(client, server, this);
    this.connections.add(connection);
    for (const socket of [client, server]) {
      socket.setNoDelay(true).on('error', () => undefined);
      // Bytes in transit when one side leaves are lost, as with a machine that dies.
      socket.once('close', () => {
        this.connections.delete(connection);
        client.destroy();
        server.destroy();
      });
    }
  }
}
