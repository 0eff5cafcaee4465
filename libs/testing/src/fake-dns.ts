import { createSocket, type RemoteInfo } from 'node:dgram';

const TYPES: Readonly<Record<number, 'A' | 'TXT'>> = { 1: 'A', 16: 'TXT' };
const HEADER_BYTES = 12;
const NAME_ERROR = 0x8183;
const ANSWERED = 0x8180;

type Records = Record<string, { A?: string[]; TXT?: string[] }>;

export interface FakeDns {
  /** The value for DNS_SERVERS. */
  readonly address: string;
  /**
   * Lower-case names; a test may change them at any time. Each query uses up one set of an A list with several sets.
   */
  readonly records: Records;
  /** The queried names, in order. */
  readonly asked: string[];
  /** Names whose queries are never answered. */
  readonly silent: Set<string>;
  /** Names whose queries get a server error: 2 SERVFAIL, 5 REFUSED. */
  readonly failing: Map<string, number>;
  /** Called before each answer, so that records can change between two queries. */
  beforeAnswer: (name: string) => void;
  stop(): Promise<void>;
}

/** A name server on loopback that answers A and TXT queries from a table, with TTL 0. */
export async function startFakeDns(records: Records = {}): Promise<FakeDns> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const dns: FakeDns = {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    asked: [],
    silent: new Set(),
    failing: new Map(),
    beforeAnswer: () => undefined,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
  socket.on('message', (question: Buffer, from: RemoteInfo) => {
    if (!dns.silent.has(readName(question).name)) socket.send(answerTo(question, dns), from.port, from.address);
  });
  return dns;
}

function answerTo(question: Buffer, dns: FakeDns): Buffer {
  const { name, end } = readName(question);
  const kind = TYPES[question.readUInt16BE(end)];
  dns.asked.push(name);
  dns.beforeAnswer(name);
  const known = dns.records[name];
  const values = (kind && known?.[kind]) ?? [];
  const header = Buffer.from(question.subarray(0, HEADER_BYTES));
  const failure = dns.failing.get(name);
  if (failure !== undefined) return failureOf(question, end, failure);
  header.writeUInt16BE(known ? ANSWERED : NAME_ERROR, 2);
  [1, values.length, 0, 0].forEach((count, at) => header.writeUInt16BE(count, 4 + 2 * at));
  const answers = values.map((value) =>
    record(
      question.readUInt16BE(end),
      kind === 'A'
        ? Buffer.from(value.split('.').map(Number))
        : Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]),
    ),
  );
  return Buffer.concat([header, question.subarray(HEADER_BYTES, end + 4), ...answers]);
}

function failureOf(question: Buffer, end: number, code: number): Buffer {
  const header = Buffer.from(question.subarray(0, HEADER_BYTES));
  header.writeUInt16BE((ANSWERED & 0xfff0) | code, 2);
  [1, 0, 0, 0].forEach((count, at) => header.writeUInt16BE(count, 4 + 2 * at));
  return Buffer.concat([header, question.subarray(HEADER_BYTES, end + 4)]);
}

function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function readName(question: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += length + 1;
  }
  return { name: labels.join('.'), end: at + 1 };
}
