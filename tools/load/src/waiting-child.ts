import { backOffMs } from '@gatehouse/agent';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'undici';
import { serveParent } from './child.ts';

/** What the agents of one process have met so far. */
export interface AgentsMet {
  readonly answered: number;
  /** How often each failure occurred: a status, or a code of the connection. */
  readonly failures: Readonly<Record<string, number>>;
}

/** The agent that the bench has seeded under this number. */
export const agentOf = (at: number): { id: string; token: string } => ({
  id: `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`,
  token: `gha_bench-agent-${at}`,
});

/** The answer of a long poll takes 25 s. */
const TIMEOUT_MS = 40_000;
const BEGUN_TOGETHER = 50;
const BEGIN_EVERY_MS = 200;

const met = { answered: 0, failures: {} as Record<string, number> };

interface Answer {
  readonly status: number;
  readonly retryAfterSeconds: number;
  readonly commands: readonly { readonly id: string }[];
}

/** An agent with one connection, which it opens anew, at any gateway, after a failure. */
class WaitingAgent {
  private readonly agent: ReturnType<typeof agentOf>;
  private client: Client;

  constructor(
    private readonly doors: readonly string[],
    at: number,
  ) {
    this.agent = agentOf(at);
    this.client = this.connection(at);
  }

  async run(): Promise<never> {
    for (;;) {
      const { commands } = await this.send('GET', '?waitSeconds=25');
      for (const { id } of commands) await this.send('POST', `/${id}/result`, '{"status":"completed"}');
    }
  }

  private async send(method: 'GET' | 'POST', path: string, body?: string): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      const answer = await this.once(method, path, body).catch((error: Error & { code?: string }) => ({
        status: error.code ?? error.message,
        retryAfterSeconds: 0,
        commands: [],
      }));
      const { status } = answer;
      if (typeof status === 'number' && status < 300) {
        met.answered++;
        return { ...answer, status };
      }
      met.failures[status] = (met.failures[status] ?? 0) + 1;
      await this.backOff(attempt, answer.retryAfterSeconds);
    }
  }

  private async backOff(attempt: number, retryAfterSeconds: number): Promise<void> {
    void this.client.destroy();
    await pause(backOffMs(attempt, retryAfterSeconds));
    this.client = this.connection(Math.floor(Math.random() * this.doors.length));
  }

  private async once(method: 'GET' | 'POST', path: string, body?: string): Promise<Answer> {
    const { id, token } = this.agent;
    const {
      statusCode,
      headers,
      body: text,
    } = await this.client.request({
      method,
      path: `/api/v1/agents/${id}/commands${path}`,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      body,
    });
    const { commands = [] } = (await text.json()) as Partial<Answer>;
    return { status: statusCode, retryAfterSeconds: Number(headers['retry-after'] ?? 0), commands };
  }

  private connection(at: number): Client {
    return new Client(this.doors[at % this.doors.length] ?? '', {
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
  }
}

const [doors = '[]', from = '0', to = '0'] = process.argv.slice(2);
if (process.argv[1] === import.meta.filename) {
  const server = createServer((_, response) => void response.end(JSON.stringify(met satisfies AgentsMet)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  serveParent({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  for (let at = Number(from); at < Number(to); at++) {
    void new WaitingAgent(JSON.parse(doors) as string[], at).run();
    if (at % BEGUN_TOGETHER === 0) await pause(BEGIN_EVERY_MS);
  }
}
