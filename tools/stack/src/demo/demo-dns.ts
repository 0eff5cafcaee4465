import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { getServers } from 'node:dns';
import { isIPv6 } from 'node:net';

const HEADER_BYTES = 12;
const TXT = 16;
const ANSWERED = 0x8180;
const SERVER_FAILURE = 0x8182;
const DNS_PORT = 53;
const TIMEOUT_MS = 2_000;
const NAME_IN_QUESTION = 0xc00c;
const INTERNET = 1;

/**
 * A name server on this machine for the demo: it has the TXT records by which the demo proves its domains, and passes
 * every other query on to the system's first name server.
 */
export class DemoDns {
  private readonly texts = new Map<string, string>();

  private constructor(
    private readonly socket: Socket,
    records: Readonly<Record<string, string>>,
  ) {
    for (const [name, value] of Object.entries(records)) this.publish(name, value);
    socket.on('message', (query, from) => this.answer(query, from));
  }

  /** @param records TXT records by name */
  static async start(records: Readonly<Record<string, string>>): Promise<DemoDns> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve, reject) => socket.once('error', reject).bind(0, '127.0.0.1', () => resolve()));
    return new DemoDns(socket.unref(), records);
  }

  /** `host:port` */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  get records(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.texts);
  }

  publish(name: string, value: string): void {
    this.texts.set(name.toLowerCase(), value);
  }

  stop(): void {
    this.socket.close();
  }

  private answer(query: Buffer, from: RemoteInfo): void {
    if (query.length < HEADER_BYTES + 5) return;
    const { name, end } = questionIn(query);
    const value = this.texts.get(name);
    const reply = (message: Buffer): void => this.socket.send(message, from.port, from.address);
    if (value === undefined) passOn(query, reply, () => reply(answerOf(query, end, SERVER_FAILURE, [])));
    else reply(answerOf(query, end, ANSWERED, query.readUInt16BE(end) === TXT ? [value] : []));
  }
}

function questionIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0 && at + length < query.length - 5; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += length + 1;
  }
  return { name: labels.join('.'), end: at + 1 };
}

function answerOf(query: Buffer, end: number, flags: number, texts: readonly string[]): Buffer {
  const header = Buffer.from(query.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(flags, 2);
  [1, texts.length, 0, 0].forEach((count, at) => header.writeUInt16BE(count, 4 + 2 * at));
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end + 4), ...texts.map(textRecord)]);
}

function textRecord(text: string): Buffer {
  const data = Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt16BE(NAME_IN_QUESTION, 0);
  head.writeUInt16BE(TXT, 2);
  head.writeUInt16BE(INTERNET, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function passOn(query: Buffer, reply: (answer: Buffer) => void, fail: () => void): void {
  const [server = ''] = getServers();
  const [, host = server, port = DNS_PORT] = /^\[?([^\]]+)\]?:(\d+)$/.exec(isIPv6(server) ? '' : server) ?? [];
  if (host === '') return fail();
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  const end = (then: () => void): void => {
    clearTimeout(timer);
    socket.close();
    then();
  };
  const timer = setTimeout(() => end(fail), TIMEOUT_MS).unref();
  socket.once('error', () => end(fail));
  socket.once('message', (answer) => end(() => reply(answer)));
  socket.send(query, Number(port), host);
}
