import { Api, type ApiAnswer } from '@gatehouse/stack';
import { stopwatch } from '@gatehouse/testing';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Tenant, World } from '../world.ts';

/** One answer that a client received; status 0 when the connection broke. */
export interface Answer {
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly at: number;
  readonly retryAfterSeconds: number | null;
}

export const isServerError = ({ status }: Answer): boolean => status === 0 || status >= 500;

/** The ledger: the id that each acknowledged write created, by kind. */
export interface Acknowledged {
  readonly sites: Set<string>;
  readonly rules: Set<string>;
  readonly requests: Set<string>;
  readonly approved: Set<string>;
}

/** The limit is long because a server on a busy disk shuts down slowly. */
const TIMEOUT_MS = 180_000;
const RETRY_MS = 100;
const PAUSE_MS = 30;
const AGAIN = [0, 401, 404, 409, 429, 502, 503, 504];

/**
 * Careful clients: each repeats a write under one Idempotency-Key until it is acknowledged, and records every answer.
 * The test process keeps the ledger, because it survives every fault that it causes.
 */
export class Clients {
  readonly acknowledged: Acknowledged = {
    sites: new Set(),
    rules: new Set(),
    requests: new Set(),
    approved: new Set(),
  };
  answers: Answer[] = [];
  private working: Promise<unknown> = Promise.resolve();
  private over = true;
  private givenUp = false;
  private readonly agent: Api;

  constructor(
    private readonly world: World,
    private readonly tenant: Tenant,
  ) {
    this.agent = new Api(world.product.baseUrl, tenant.agentToken);
  }

  start(count: number): void {
    this.answers = [];
    this.over = this.givenUp = false;
    this.working = Promise.all(Array.from({ length: count }, () => this.loop()));
  }

  /** Resolves when every started write has been acknowledged. */
  async finish(): Promise<void> {
    this.over = true;
    await this.working;
  }

  /** When the work fails, gives up the writes: the fault that it leaves behind would keep them from ever ending. */
  async during<T>(count: number, work: () => Promise<T>): Promise<T> {
    this.start(count);
    try {
      const result = await work();
      await this.finish();
      return result;
    } catch (error) {
      this.givenUp = true;
      await this.finish().catch(() => undefined);
      throw error;
    }
  }

  /** One write of each kind. */
  async round(): Promise<void> {
    await this.site();
    await this.rule();
    await this.approve(await this.report());
  }

  async site(): Promise<void> {
    const { id } = await this.insist(this.world.admin, '/orgs/sites', {
      orgId: this.tenant.orgId,
      name: `fault ${randomUUID()}`,
    });
    this.acknowledged.sites.add(String(id));
  }

  async rule(): Promise<void> {
    const name = randomUUID();
    const { rule } = (await this.insist(this.world.admin, '/pam/rules', {
      orgId: this.tenant.orgId,
      name,
      verdict: 'auto_deny',
      matchPathGlob: `C:\\never\\${name}`,
    })) as { rule: { id: string } };
    this.acknowledged.rules.add(rule.id);
  }

  async report(): Promise<string> {
    const body = {
      subject_username: 'ACME\\ada',
      target_executable_path: `C:\\Tools\\${randomUUID()}.exe`,
      observed_at: new Date().toISOString(),
    };
    const id = String(
      (await this.insist(this.agent, `/agents/${this.tenant.deviceId}/elevation-requests`, body))['id'],
    );
    this.acknowledged.requests.add(id);
    return id;
  }

  async approve(id: string): Promise<void> {
    await this.insist(this.world.admin, `/pam/elevation-requests/${id}/respond`, { decision: 'approve' });
    this.acknowledged.approved.add(id);
  }

  /** @throws for an answer that a retry cannot change, or when the time limit has passed */
  async insist(api: Api, path: string, body: object): Promise<Record<string, unknown>> {
    const key = randomUUID();
    const got = new Map<string, number>();
    for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline && !this.givenUp; await pause(RETRY_MS)) {
      const { status, body: answer } = (await this.attempt(api, path, body, key)) ?? {
        status: 0,
        body: {} as Record<string, unknown>,
      };
      if (status >= 200 && status < 300) return answer;
      got.set(`${status} ${String(answer['code'])}`, (got.get(`${status} ${String(answer['code'])}`) ?? 0) + 1);
      if (!AGAIN.includes(status)) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
    }
    throw new Error(`${path} was never acknowledged: ${JSON.stringify([...got])}`);
  }

  /** Sends one POST and records the answer. */
  async attempt(api: Api, path: string, body: object, key: string): Promise<ApiAnswer | null> {
    const spent = stopwatch();
    const answer = await api.call('POST', path, body, { 'idempotency-key': key }).catch(() => null);
    const after = answer?.headers.get('retry-after');
    this.answers.push({
      path,
      status: answer?.status ?? 0,
      ms: spent(),
      at: Date.now(),
      retryAfterSeconds: after ? Number(after) : null,
    });
    return answer;
  }

  private async loop(): Promise<void> {
    while (!this.over) {
      await this.round();
      await pause(PAUSE_MS);
    }
  }
}
