import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Measured } from './load.ts';

export interface LightLoad {
  readonly url: string;
  readonly seconds: number;
  readonly connections: number;
  /** Requests a second over all connections; as many as possible when absent. */
  readonly overallRate?: number;
  /** The next request as text. */
  readonly next: () => string;
}

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: *(\d+)/i;

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** The status of the answer at the beginning of `text`, or null while it is not whole. */
function statusOf(text: string): number | null {
  const head = text.indexOf(HEAD_END);
  if (head === -1) return null;
  const length = Number(LENGTH.exec(text.slice(0, head))?.[1] ?? 0);
  return text.length >= head + HEAD_END.length + length ? Number(text.slice(9, 12)) : null;
}

/**
 * One connection that sends one request after another. It parses only as much HTTP as it needs to find the end of an
 * answer.
 */
class Line {
  private received = '';
  private due = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly load: LightLoad,
    private readonly answered: (status: number, ms: number) => void,
  ) {
    socket
      .setNoDelay(true)
      .setEncoding('latin1')
      .on('data', (text: string) => this.hear(text));
  }

  start(): void {
    this.due = performance.now();
    this.send();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.socket.destroy();
  }

  private send(): void {
    this.socket.write(this.load.next());
  }

  private hear(text: string): void {
    this.received += text;
    const status = statusOf(this.received);
    if (status === null) return;
    this.received = '';
    this.answered(status, performance.now() - this.due);
    this.goOn();
  }

  /**
   * At a given rate, the latency of a request counts from the time at which it was due, including its wait for the one
   * before.
   */
  private goOn(): void {
    const { overallRate, connections } = this.load;
    const now = performance.now();
    this.due = overallRate ? this.due + (connections * 1000) / overallRate : now;
    if (this.due <= now) this.send();
    else this.timer = setTimeout(() => this.send(), this.due - now);
  }
}

const dial = ({ hostname, port }: URL): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => resolve(socket)).once('error', reject);
  });

/**
 * A load generator that uses little CPU, because it shares the cores with the product that it measures. Latencies in
 * milliseconds.
 */
export async function measureLightly(load: LightLoad): Promise<Measured> {
  const latencies: number[] = [];
  let failures = 0;
  const note = (status: number, ms: number): void => {
    if (status >= 200 && status < 300) latencies.push(ms);
    else failures++;
  };
  const sockets = await Promise.all(Array.from({ length: load.connections }, () => dial(new URL(load.url))));
  const lines = sockets.map(
    (socket) =>
      new Line(
        socket.on('error', () => failures++),
        load,
        note,
      ),
  );
  const began = performance.now();
  for (const [at, line] of lines.entries())
    setTimeout(() => line.start(), load.overallRate ? (at * 1000) / load.overallRate : 0);
  await new Promise((resolve) => setTimeout(resolve, load.seconds * 1000));
  const elapsed = (performance.now() - began) / 1000;
  const answered = latencies.length;
  for (const line of lines) line.stop();
  latencies.sort((a, b) => a - b);
  return {
    perSecond: answered / elapsed,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    failures,
    answered,
  };
}
