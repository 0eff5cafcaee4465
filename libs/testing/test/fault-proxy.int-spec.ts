import { afterAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { FaultProxy } from '../src/index.ts';

let reached: string;
const server = createServer((socket) => {
  socket
    .on('error', () => undefined)
    .on('data', (bytes) => {
      reached += String(bytes);
      socket.write(`echo ${String(bytes)}`);
    });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const direct = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
const proxy = await FaultProxy.before(direct);
reached = '';
afterAll(async () => {
  await proxy.stop();
  server.close();
});

describe('a network with faults', () => {
  it('passes everything on, later when it is slow, in its order', async () => {
    const caller = await Caller.to(url);
    proxy.set({ kind: 'delay', ms: 300 });
    const began = performance.now();
    caller.socket.write('one');
    await pause(50);
    proxy.set({ kind: 'pass' });
    caller.socket.write('two');
    await caller.hears('two');
    expect(caller.heard).toMatch(/one.*two/s);
    expect(performance.now() - began).toBeGreaterThan(295);
    caller.socket.destroy();
  });

  it('keeps answers back, or everything, and delivers them when it is over', async () => {
    const caller = await Caller.to(url);
    proxy.set({ kind: 'hold', only: 'answers' });
    caller.socket.write('question');
    while (!reached.includes('question')) await pause(5);
    proxy.set({ kind: 'hold' });
    caller.socket.write('kept');
    await pause(50);
    expect([caller.heard, reached.includes('kept')]).toEqual(['', false]);
    proxy.set({ kind: 'pass' });
    await caller.hears('kept');
    caller.socket.destroy();
  });

  it('loses what was on its way when the client is gone', async () => {
    proxy.set({ kind: 'hold' });
    const caller = await Caller.to(url);
    caller.socket.write('never');
    await pause(50);
    caller.socket.destroy();
    await pause(50);
    proxy.set({ kind: 'pass' });
    await pause(50);
    expect(reached).not.toContain('never');
  });

  it('cuts connections, at once or after so many bytes', async () => {
    const [first, second] = [await Caller.to(url), await Caller.to(url)];
    proxy.set({ kind: 'cut', afterBytes: 10 });
    first.socket.write('abc');
    await first.hears('abc');
    first.socket.write('more than that');
    await first.ends();
    expect([first.heard, second.ended]).toEqual(['echo abc', false]);
    proxy.set({ kind: 'reset' });
    await second.ends();
    const third = await Caller.to(url);
    await third.ends();
    proxy.set({ kind: 'pass' });
  });

  it('loses the answer to one request of one marked connection, after the server got it', async () => {
    const [marked, other] = [await Caller.to(url), await Caller.to(url)];
    const happened = proxy.loseAnswer('mark', 'commit');
    other.socket.write('commit other');
    marked.socket.write('mark');
    await marked.hears('mark');
    marked.socket.write('commit marked');
    await happened;
    await marked.ends();
    await other.hears('other');
    expect(reached).toContain('commit marked');
    expect(marked.heard).not.toContain('commit');
    other.socket.destroy();
  });
});

/** A client that keeps what it hears. */
class Caller {
  heard = '';
  ended = false;
  private constructor(readonly socket: Socket) {
    socket
      .setEncoding('utf8')
      .on('data', (text: string) => (this.heard += text))
      .on('error', () => undefined)
      .on('close', () => (this.ended = true));
  }

  static async to(url: string): Promise<Caller> {
    const { hostname, port } = new URL(url);
    const caller = new Caller(connect(Number(port), hostname));
    while (caller.socket.connecting) await pause(5);
    return caller;
  }

  async hears(text: string): Promise<void> {
    while (!this.heard.includes(text)) await pause(5);
  }

  async ends(): Promise<void> {
    while (!this.ended) await pause(5);
  }
}
const url = proxy.through(direct);
