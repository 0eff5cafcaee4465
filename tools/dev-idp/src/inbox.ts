import type { IncomingMessage, ServerResponse } from 'node:http';

const MAX_KEPT = 1000;
const LARGEST_BODY = 100_000;

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Stores what is posted under a path and returns it on GET: a webhook target for demonstrations. */
export function inbox(): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const received: Received[] = [];
  return async (request, response) => {
    const path = request.url ?? '';
    if (request.method === 'GET') {
      const found = received.filter((one) => one.path === path).map(({ headers, body }) => ({ headers, body }));
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found));
    }
    let body = '';
    for await (const chunk of request.setEncoding('utf8') as AsyncIterable<string>) {
      body += chunk;
      if (body.length > LARGEST_BODY) return void response.writeHead(413).end();
    }
    received.push({ path, headers: request.headers, body });
    received.splice(0, received.length - MAX_KEPT);
    response.writeHead(204).end();
  };
}
