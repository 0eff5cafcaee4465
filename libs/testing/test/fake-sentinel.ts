import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

interface Master {
  readonly host: string;
  readonly port: number;
}

const bulk = (text: string): string => `$${text.length}\r\n${text}\r\n`;

/** Answers the questions that a client asks a Sentinel about one group. */
export class FakeSentinel {
  /** How often it was asked for the master. */
  questions = 0;
  private readonly open = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly group: string,
    private readonly master: Master,
  ) {
    server.on('connection', (socket) => {
      this.open.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', (data) => socket.write(this.answers(data.toString())));
    });
  }

  static async start(group: string, master: Master): Promise<FakeSentinel> {
    const server = createServer();
    const sentinel = new FakeSentinel(server, group, master);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return sentinel;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  /** One answer for each command of the pipeline. */
  private answers(pipeline: string): string {
    return pipeline
      .split(/^\*\d+\r\n/m)
      .slice(1)
      .map((command) => this.answer(command.split('\r\n').filter((_, at) => at % 2 === 1)))
      .join('');
  }

  private answer([name = '', ...words]: readonly string[]): string {
    if (name.toLowerCase() === 'subscribe') return `*3\r\n${bulk('subscribe')}${bulk(words[0] ?? '')}:1\r\n`;
    if (name.toLowerCase() !== 'sentinel' || words[1] !== this.group) return '+OK\r\n';
    this.questions++;
    return `*2\r\n${bulk(this.master.host)}${bulk(String(this.master.port))}`;
  }
}
