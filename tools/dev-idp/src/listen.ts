import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  /** `http://host:port`, without a trailing slash. */
  readonly url: string;
  /** Sets the handler; earlier requests are answered with 503. */
  answerWith(listener: RequestListener): void;
  stop(): Promise<void>;
}

/** Opens the port first (0 = any free one), since an issuer must know its own address before it can be built. */
export async function listen(port: number, host = '127.0.0.1'): Promise<Listening> {
  let answer: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${bound}`,
    answerWith: (listener) => void (answer = listener),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
