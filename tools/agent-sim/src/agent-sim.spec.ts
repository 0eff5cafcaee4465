import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AgentConnection, AgentRefused, backOffMs, playFleet, promptNumber, SimulatedAgent } from './index.ts';
import type { CommandResult } from '@gatehouse/agent';

describe('the simulated agent', () => {
  let product: Product;
  let door: AgentConnection;
  beforeEach(async () => {
    product = new Product();
    door = new AgentConnection({ baseUrl: await product.start(), patienceMs: 5000 });
  });
  afterEach(() => product.stop());

  it('enrols with a key and reports with its own token', async () => {
    const agent = await SimulatedAgent.enroll(door, KEY);
    const granted = { id: 'r1', status: 'auto_approved', expiresAt: '2030-01-01T00:00:00.000Z' };
    product.handler = () => ({ status: 201, body: granted });
    expect(await agent.report(promptNumber(1))).toEqual(granted);
    product.handler = () => ({ status: 200, body: { id: null, status: 'ignored' } });
    expect(await agent.report(promptNumber(2))).toEqual({ id: null, status: 'ignored', expiresAt: null });
    expect(product.seen[0]).toMatchObject({ path: 'POST /api/v1/agents/enroll', body: KEY });
    expect(product.seen[1]).toMatchObject({
      path: 'POST /api/v1/agents/d1/elevation-requests',
      authorization: 'Bearer gha_t',
    });
  });

  it('TEN-101 waits until its return is confirmed, and is the former device from then on', async () => {
    product.handler = () => ({ status: 201, body: { ...ENROLLED.body, returnsAs: 'd0' } });
    const agent = await SimulatedAgent.enroll(door, KEY);
    product.handler = () => ({ status: 403, body: { code: 'device_awaiting_confirmation' } });
    await expect(agent.poll(0)).rejects.toThrow('device_awaiting_confirmation');
    expect(agent.identity).toMatchObject({ deviceId: 'd1', returnsAs: 'd0' });
    product.handler = (path) =>
      path.includes('/agents/d0/')
        ? { status: 201, body: { id: 'r1', status: 'pending' } }
        : { status: 403, body: { code: 'device_mismatch' } };
    expect(await agent.report(promptNumber(1))).toMatchObject({ id: 'r1', status: 'pending' });
    expect(agent.identity).toEqual(expect.objectContaining({ deviceId: 'd0', agentToken: 'gha_t' }));
    expect(agent.identity).not.toHaveProperty('returnsAs');
    product.handler = () => ({ status: 403, body: { code: 'device_mismatch' } });
    await expect(agent.report(promptNumber(2))).rejects.toThrow('device_mismatch');
  });

  it('says why it was refused', async () => {
    product.handler = () => ({ status: 401, body: { code: 'enrollment_key_expired', detail: 'The key has expired.' } });
    await expect(SimulatedAgent.enroll(door, KEY)).rejects.toThrow(
      new AgentRefused(
        { status: 401, body: { code: 'enrollment_key_expired', detail: 'The key has expired.' } },
        'enrolment',
      ),
    );
  });

  it('tries again on 429, 503 and a broken connection, with the same body, not before it was asked to', async () => {
    const agent = await SimulatedAgent.enroll(door, KEY);
    const troubles = [
      { status: 429, headers: { 'retry-after': '1' } },
      { status: 503 },
      undefined,
      { status: 201, body: { id: 'r1', status: 'pending' } },
    ];
    product.handler = (_path, _body, request) => {
      const trouble = troubles.shift();
      if (!trouble) request.socket.destroy();
      return trouble;
    };
    const begun = Date.now();
    expect((await agent.report(promptNumber(1))).id).toBe('r1');
    expect(Date.now() - begun).toBeGreaterThanOrEqual(1000);
    const bodies = product.seen.slice(1).map(({ body }) => JSON.stringify(body));
    expect([bodies.length, new Set(bodies).size]).toEqual([4, 1]);
  });

  it('backs off exponentially with jitter, up to 10 s', () => {
    expect([0, 1, 4, 20].map((attempt) => backOffMs(attempt, 0, () => 1))).toEqual([200, 400, 3200, 10_000]);
    expect([backOffMs(4, 0, () => 0), backOffMs(0, 3)]).toEqual([1600, 3000]);
  });

  const deliver =
    (type: string): Handler =>
    (path) =>
      path.includes('/result')
        ? { status: 200 }
        : {
            status: 200,
            body: {
              commands: [{ id: 'c1', type, payload: { elevationRequestId: 'r1', timeoutMs: 8000 }, createdAt: '' }],
            },
          };

  it('obeys a command once, however often it comes, and sends its result each time', async () => {
    const agent = await SimulatedAgent.enroll(door, KEY);
    product.handler = deliver('actuate_elevation');
    await agent.poll(0);
    await agent.poll(0);
    expect([agent.obeyed.length, agent.redelivered]).toEqual([1, 1]);
    const results = product.seen.filter(({ path }) => path === 'POST /api/v1/agents/d1/commands/c1/result');
    expect(results.map(({ body }) => body)).toEqual([{ status: 'completed' }, { status: 'completed' }]);
  });

  it.each<[string, CommandResult | null | undefined, object[]]>([
    ['revoke_elevation', undefined, [{ status: 'completed' }]],
    ['dance', undefined, [{ status: 'failed', detail: 'unknown command dance' }]],
    ['actuate_elevation', { status: 'failed', detail: 'no' }, [{ status: 'failed', detail: 'no' }]],
    ['actuate_elevation', null, []],
  ])('answers %s with what the test wants of it (%j)', async (type, wanted, results) => {
    const agent = await SimulatedAgent.enroll(door, KEY, wanted === undefined ? {} : { obey: () => wanted });
    product.handler = deliver(type);
    await agent.poll(0);
    expect(product.seen.filter(({ path }) => path.includes('/result')).map(({ body }) => body)).toEqual(results);
  });

  it('stops serving at once when told to, even in the middle of a long poll', async () => {
    const agent = await SimulatedAgent.enroll(door, KEY);
    const stop = new AbortController();
    product.handler = () => {
      setTimeout(() => stop.abort(), 50);
      return undefined;
    };
    // The long poll is never answered.
    await agent.serve(stop.signal);
    expect(stop.signal.aborted).toBe(true);
  });

  const memory = (forgets: boolean): Handler => {
    const known = new Map<string, string>();
    return (path, body) => {
      if (path.endsWith('/enroll'))
        return { status: 201, body: { ...ENROLLED.body, deviceId: String(body['hostname']) } };
      if (path.includes('/commands')) return { status: 200, body: { commands: [] } };
      const report = JSON.stringify(body);
      const id = (forgets ? undefined : known.get(report)) ?? `r${known.size}-${Math.random()}`;
      known.set(report, id);
      return { status: 201, body: { id, status: 'pending' } };
    };
  };

  it.each([
    [false, 0],
    [true, 20],
  ])('as a fleet finds acknowledged reports that were lost (forgetful: %s)', async (forgets, lost) => {
    product.handler = memory(forgets);
    const counters = await playFleet(door, { enrollmentKey: 'k', agents: 4, rate: 40, seconds: 0.5 });
    expect(counters).toEqual({ reported: 20, failed: 0, byStatus: { pending: 20 }, lost, commands: 0 });
  });
});

type Handler = (
  path: string,
  body: Record<string, unknown>,
  request: IncomingMessage,
) => { status: number; body?: unknown; headers?: Record<string, string> } | undefined;

const ENROLLED = { status: 201, body: { deviceId: 'd1', agentToken: 'gha_t', orgId: 'o1', siteId: 's1' } };
const KEY = { enrollmentKey: 'k', hostname: 'laptop' };

/** A product that answers as the test says. */
class Product {
  readonly seen: { path: string; body: Record<string, unknown>; authorization?: string }[] = [];
  handler: Handler = () => ENROLLED;
  #server: Server | undefined;

  async start(): Promise<string> {
    const server = createServer((request, response) => void this.answer(request, response));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const body = text ? (JSON.parse(text) as Record<string, unknown>) : {};
    this.seen.push({ path: `${request.method} ${request.url}`, body, authorization: request.headers.authorization });
    const answer = this.handler(request.url ?? '', body, request);
    if (!answer) return;
    response.writeHead(answer.status, answer.headers).end(JSON.stringify(answer.body ?? {}));
  }
}
