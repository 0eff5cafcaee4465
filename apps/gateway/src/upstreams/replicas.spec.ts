import type { UpstreamName } from '@gatehouse/contracts-core';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { UpstreamResponse } from './exchange.ts';
import { Upstreams } from './upstreams.ts';

afterEach(() => {
  jest.restoreAllMocks();
  for (const end of ends.splice(0)) end();
});

describe('polls of agents', () => {
  it('R-90: are spread over all replicas evenly, over connections that are used again', async () => {
    const first = await replicaAt('127.0.0.1');
    const replicas = [first, await replicaAt('127.0.0.2', portOf(first))];
    const upstreams = upstreamsTo(portOf(first), ['127.0.0.1', '127.0.0.2']);
    for (let round = 0; round < 2; round++) {
      const polls = Array.from({ length: 6 }, () => poll(upstreams));
      await until(() => replicas.every(({ held }) => held.length === 3));
      await answerAll(replicas, polls);
    }
    expect(replicas.map(({ connections }) => connections)).toEqual([3, 3]);
  });

  it('R-90: reach a replica that has just come, and leave one that is gone, when the name is looked up again', async () => {
    const first = await replicaAt('127.0.0.1');
    const next = await replicaAt('127.0.0.2', portOf(first));
    const addresses = ['127.0.0.1'];
    const upstreams = upstreamsTo(portOf(first), addresses);
    const before = poll(upstreams);
    await until(() => first.held.length === 1);
    addresses.splice(0, 1, '127.0.0.2');
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 5_000);
    // While the name is looked up, polls go to the replicas that are known.
    const meeting = poll(upstreams);
    await until(() => first.held.length === 2);
    const after = [poll(upstreams), poll(upstreams)];
    await until(() => next.held.length === 2);
    await answerAll([first, next], [before, meeting, ...after]);
  });

  it('R-91: pass over a replica that cannot be reached, though it has the fewest', async () => {
    const only = await replicaAt('127.0.0.1');
    const upstreams = upstreamsTo(portOf(only), ['127.0.0.2', '127.0.0.1']);
    const polls = Array.from({ length: 8 }, () => poll(upstreams));
    await until(() => only.held.length === 8);
    await answerAll([only], polls);
  });

  it('R-91: go to the replicas that there are, though all of them have failed', async () => {
    const broken = await replicaAt('127.0.0.1');
    const upstreams = upstreamsTo(portOf(broken), ['127.0.0.1']);
    const first = poll(upstreams);
    await until(() => broken.held.length === 1);
    broken.held.splice(0)[0]?.destroy();
    await until(() => broken.held.length === 1);
    await answerAll([broken], [first]);
  });

  it('R-90: open their connection anew after a minute, so that replicas behind one address get their part', async () => {
    const replica = await replicaAt('127.0.0.1');
    const upstreams = upstreamsTo(portOf(replica), ['127.0.0.1']);
    const began = Math.round(performance.now());
    for (const [at, connections] of [
      [0, 1],
      [30_000, 1],
      [60_000, 1],
      [60_001, 2],
    ] as const) {
      jest.spyOn(performance, 'now').mockReturnValue(began + at);
      const one = poll(upstreams);
      await until(() => replica.held.length === 1);
      expect(replica.connections).toBe(connections);
      await answerAll([replica], [one]);
    }
  });

  it('end at the replica as soon as the agent has left, which counts as no failure of the replica', async () => {
    const first = await replicaAt('127.0.0.1');
    const second = await replicaAt('127.0.0.2', portOf(first));
    const upstreams = upstreamsTo(portOf(first), ['127.0.0.1', '127.0.0.2']);
    const agent = new EventEmitter();
    const left = poll(upstreams, agent).catch(({ status }: { status: number }) => status);
    await until(() => first.held.length === 1);
    const closed = once(first.held[0]!, 'close');
    agent.emit('close');
    await closed;
    expect(await left).toBe(503);
    first.held.splice(0);
    const polls = [poll(upstreams), poll(upstreams)];
    await until(() => first.held.length === 1 && second.held.length === 1);
    await answerAll([first, second], polls);
  });
});

/** One replica of pam-ingest, which holds its polls until it answers them. */
interface Replica {
  readonly server: Server;
  readonly held: ServerResponse[];
  connections: number;
}

const ends: (() => void)[] = [];

async function replicaAt(address: string, port = 0): Promise<Replica> {
  const replica: Replica = { server: createServer(), held: [], connections: 0 };
  // As the services do: a connection outlives the pauses of a machine that is busy.
  replica.server.keepAliveTimeout = 60_000;
  replica.server.on('request', (_, response) => void replica.held.push(response));
  replica.server.on('connection', () => replica.connections++);
  await once(replica.server.listen(port, address), 'listening');
  ends.push(() => void (replica.server.closeAllConnections(), replica.server.close()));
  return replica;
}

const portOf = ({ server }: Replica): number => (server.address() as AddressInfo).port;

/** The gateway's connections to replicas at these addresses of one name. */
function upstreamsTo(port: number, addresses: string[]): Upstreams {
  const url = `http://replicas.test:${port}`;
  const upstreams = new Upstreams({ 'pam-ingest': url } as Record<UpstreamName, string>, {}, async () => addresses);
  ends.push(() => void upstreams.close());
  return upstreams;
}

const poll = (upstreams: Upstreams, client?: EventEmitter): Promise<UpstreamResponse> =>
  upstreams.request('pam-ingest', { method: 'GET', path: '/' }, { waits: true, client });

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise(setImmediate);
};

async function answerAll(replicas: readonly Replica[], polls: readonly Promise<UpstreamResponse>[]): Promise<void> {
  for (const { held } of replicas) for (const response of held.splice(0)) response.end('{}');
  expect((await Promise.all(polls)).map(({ statusCode }) => statusCode)).toEqual(polls.map(() => 200));
}
