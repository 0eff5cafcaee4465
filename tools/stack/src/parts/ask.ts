import { createConnection } from 'node:net';

const TIMEOUT_MS = 2_000;

/** Sends one line to a server on 127.0.0.1 and waits until its answer matches. */
export function ask(port: number, question: string, answer: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    let received = '';
    const finish = (error?: Error): void => {
      socket.destroy();
      if (error === undefined) resolve();
      else reject(error);
    };
    socket.setTimeout(TIMEOUT_MS, () => finish(new Error('no answer in time')));
    socket.once('error', finish);
    socket.once('close', () => finish(new Error(`unexpected answer: ${received.trim().split('\n').at(-1) ?? ''}`)));
    socket.once('connect', () => socket.write(question));
    socket.on('data', (chunk) => {
      received += chunk.toString('utf8');
      if (answer.test(received)) finish();
    });
  });
}
