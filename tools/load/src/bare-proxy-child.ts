import fastify from 'fastify';
import { type Dispatcher, Pool } from 'undici';
import { serveParent } from './child.ts';

const [target = ''] = process.argv.slice(2);
const upstream = new Pool(target);

/** The smallest proxy: it passes the body in and the answer back, and reads neither. */
const server = fastify();
server.removeAllContentTypeParsers();
server.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
server.all('/*', async ({ method, url, headers, body }, reply) => {
  const answer = await upstream.request({
    method: method as Dispatcher.HttpMethod,
    path: url,
    headers: { 'content-type': headers['content-type'] ?? '' },
    body: body as Buffer,
  });
  return reply
    .code(answer.statusCode)
    .header('content-type', answer.headers['content-type'])
    .send(Buffer.from(await answer.body.arrayBuffer()));
});
serveParent({ url: await server.listen({ host: '127.0.0.1', port: 0 }) });
