import { createConnection } from 'node:net';
import { connect as connectTls } from 'node:tls';

const TIMEOUT_MS = 2_000;

/**
 * Sends one line to a server on 127.0.0.1 and waits until its answer matches.
 * @param throughTls without verification: what matters is that our own server answers
 */
export function ask(port: number, question: string, answer: RegExp, throughTls = false): Promise<void> {
  return new Promise((resolve, reject) => {
    const place = { port, host: '127.0.0.1' };
    const socket = throughTls ? connectTls({ ...place, rejectUnauthorized: false }) : createConnection(place);
    let received = '';
    const finish = (error?: Error): void => {
      socket.destroy();
      if (error === undefined) resolve();
      else reject(error);
    };
    socket.setTimeout(TIMEOUT_MS, () => finish(new Error('no answer in time')));
    socket.once('error', finish);
    socket.once('close', () => finish(new Error(`unexpected answer: ${received.trim().split('\n').at(-1) ?? ''}`)));
    socket.once(throughTls ? 'secureConnect' : 'connect', () => socket.write(question));
    socket.on('data', (chunk) => {
      received += chunk.toString('utf8');
      if (answer.test(received)) finish();
    });
  });
}
