import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export interface UpstreamRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

type Answer = (seen: UpstreamRequest, response: ServerResponse) => void;

/** A service behind the gateway that notes what reaches it. */
export class StubUpstream {
  readonly seen: UpstreamRequest[] = [];
  answer: Answer = (_, response) => response.setHeader('content-type', 'application/json').end('{"ok":true}');

  private constructor(
    private server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<StubUpstream> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const stub = new StubUpstream(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => void stub.take(request, response));
    return stub;
  }

  get last(): UpstreamRequest {
    const last = this.seen.at(-1);
    if (!last) throw new Error('nothing has reached this upstream');
    return last;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** Serves again on the same port. */
  async restart(): Promise<void> {
    this.server = createServer((request, response) => void this.take(request, response));
    await once(this.server.listen(Number(new URL(this.url).port), '127.0.0.1'), 'listening');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const seen = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks),
    };
    this.seen.push(seen);
    this.answer(seen, response);
  }
}
