import {
  type ClientRequest,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** The name of a built file ends with a hash of what it holds. */
const HASHED = /-[\w-]{8}\.(?:js|css)$/;
const NAMES = /(-[\w-]{8})\.(js|css)\b/g;
const NEXT = '-next';
const TEXT = /^(?:text\/(?:html|javascript|css)|application\/javascript)/;
const CONDITIONS = ['if-none-match', 'if-modified-since'];

const wholeOf = async (stream: IncomingMessage): Promise<string> => {
  stream.setEncoding('utf8');
  let text = '';
  for await (const part of stream) text += String(part);
  return text;
};

/**
 * A second address of the running product, at which another version of the console can be deployed: the same files
 * under other hashes, so that a page of the first version finds none of its files any more.
 */
export class Rollout {
  private isDeployed = false;
  /** Whether the network between browser and product is gone. */
  isDown = false;
  /** Whether the browser gets the service worker. */
  hasWorker = true;

  private constructor(
    private readonly product: URL,
    private readonly server: Server,
  ) {
    server.on('request', (asked: IncomingMessage, answer: ServerResponse) => this.serve(asked, answer));
  }

  static async of(baseUrl: string): Promise<Rollout> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Rollout(new URL(baseUrl), server);
  }

  get address(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  deploy(): void {
    this.isDeployed = true;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private serve(asked: IncomingMessage, answer: ServerResponse): void {
    if (this.isDown) return void asked.socket.destroy();
    const path = asked.url ?? '/';
    const isGone = this.isDeployed && HASHED.test(path) && !path.includes(`${NEXT}.`);
    if (isGone || (!this.hasWorker && path === '/sw.js')) return void answer.writeHead(404).end();
    const passed = this.pass(asked, path.replace(`${NEXT}.`, '.'));
    passed.on('response', (got) => void this.answer(got, answer));
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  }

  /** Asks the product in its own name: it knows one address of itself. */
  private pass(asked: IncomingMessage, path: string): ClientRequest {
    const headers: IncomingHttpHeaders = { ...asked.headers, host: this.product.host };
    if (headers.origin) headers.origin = this.product.origin;
    if (this.isDeployed) for (const name of CONDITIONS) delete headers[name];
    return request(this.product, {
      path,
      method: asked.method,
      headers: { ...headers, 'accept-encoding': 'identity' },
    });
  }

  private async answer(got: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { etag: _, 'content-length': __, ...headers } = got.headers;
    const status = got.statusCode ?? 502;
    if (!this.isDeployed || !TEXT.test(String(got.headers['content-type']))) {
      answer.writeHead(status, got.headers);
      return void got.pipe(answer);
    }
    const text = await wholeOf(got);
    answer.writeHead(status, headers).end(text.replaceAll(NAMES, `$1${NEXT}.$2`));
  }
}
