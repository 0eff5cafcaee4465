import { Api } from '@gatehouse/stack';
import type { Fleet } from '@gatehouse/testing/fleet';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { type Tenant, until, type World } from './world.ts';

const EVERY_MS = 50;
const SIGN_IN_EVERY_MS = 1_000;
const REFRESH_EVERY_MS = 200;
const POLL_SECONDS = 2;
const TIMEOUT_MS = 20_000;
/** More would only wait for each other on a machine that is busy. */
const MAX_IN_FLIGHT = 12;

type Method = 'GET' | 'POST';

interface Call {
  readonly method?: Method;
  readonly path: string;
  readonly token?: string | null;
  readonly body?: object;
}

interface Person {
  readonly email: string;
  readonly password: string;
}

/** Acknowledged writes by audit action. */
export type Ledger = Readonly<
  Record<
    | 'site.create'
    | 'pam.rule.create'
    | 'role.create'
    | 'pam.elevation_request.submit'
    | 'pam.elevation_request.approve',
    string[]
  >
>;

/** A user of the partner who signs in with a password alone. */
async function invite({ admin, invitationFor, product }: World, partnerId: string): Promise<Person> {
  const { data: roles } = await admin.must<{ data: { id: string; name: string }[] }>('GET', '/roles?axis=partner');
  const roleId = roles.find(({ name }) => name === 'Partner Technician')?.id;
  const person = { email: `load-${randomUUID()}@example.test`, password: `a long passphrase ${randomUUID()}` };
  await admin.must('POST', '/users', {
    email: person.email,
    name: 'Load',
    membership: { scope: 'partner', partnerId, roleId, orgAccess: 'all' },
  });
  const token = await until(() => invitationFor(person.email), 30);
  await new Api(product.baseUrl).must('POST', '/auth/accept-invite', { token, password: person.password });
  return person;
}

/**
 * Users and agents work at their own pace: a slow answer does not delay the next request, while few requests are in
 * flight. The clients never retry, so `failures` holds every failure that a client would see.
 */
export class MixedLoad {
  readonly failures: string[] = [];
  readonly ledger: Ledger = {
    'site.create': [],
    'pam.rule.create': [],
    'role.create': [],
    'pam.elevation_request.submit': [],
    'pam.elevation_request.approve': [],
  };
  answered = 0;
  polls = 0;
  streams = 0;
  private over = false;
  private readonly running = new Set<Promise<void>>();
  /** Users' programs keep connections open; half of the agents open one for each request. */
  private readonly keeping = new Agent({ connections: 64, headersTimeout: TIMEOUT_MS });
  private readonly fresh = new Agent({ pipelining: 0, headersTimeout: TIMEOUT_MS });
  private readonly leaving = new AbortController();

  private constructor(
    private readonly world: World<Fleet>,
    private readonly tenant: Tenant,
    private readonly person: Person,
    private readonly slowness: number,
  ) {}

  /** @param slowness how many times longer the pauses between requests are */
  static async prepare(world: World<Fleet>, tenant: Tenant, slowness = 1): Promise<MixedLoad> {
    return new MixedLoad(world, tenant, await invite(world, tenant.partnerId), slowness);
  }

  start(): void {
    const acts = [
      this.site,
      this.report,
      this.requests,
      this.decided,
      this.me,
      this.rule,
      this.entries,
      this.report,
      this.subscriptions,
      this.role,
      this.organizations,
    ];
    this.run(this.every(EVERY_MS, (turn) => acts[turn % acts.length]?.call(this, turn)));
    this.run(this.every(SIGN_IN_EVERY_MS, () => this.signIn()));
    this.run(this.refreshing());
    this.run(this.polling());
    this.run(this.listening());
  }

  /** Waits until the requests in progress have ended. */
  async stop(): Promise<void> {
    this.over = true;
    this.leaving.abort();
    while (this.running.size > 0) await Promise.all(this.running);
    await Promise.all([this.keeping.destroy(), this.fresh.destroy()]);
  }

  private run(work: Promise<void>): void {
    const noted = work.catch(
      (error: unknown) =>
        void this.failures.push(
          `${new Date().toISOString()} ${error instanceof Error ? error.message : String(error)}`,
        ),
    );
    this.running.add(noted);
    void noted.finally(() => this.running.delete(noted));
  }

  private async every(ms: number, act: (turn: number) => Promise<void> | undefined): Promise<void> {
    for (let turn = 0; !this.over; turn++) {
      const under = this.running.size < MAX_IN_FLIGHT ? act(turn) : undefined;
      if (under) this.run(under);
      await wait(ms * this.slowness);
    }
  }

  private async call<T>(
    { method = 'GET', path, token = this.world.admin.accessToken, body }: Call,
    dispatcher = this.keeping,
  ): Promise<T> {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    };
    const answer = await request(`${this.world.product.baseUrl}/api/v1${path}`, {
      method,
      dispatcher,
      headers,
      body: body && JSON.stringify(body),
    }).catch((error: unknown) => {
      throw new Error(`${method} ${path}: ${String(error)}`, { cause: error });
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 200)}`);
    this.answered++;
    return JSON.parse(text) as T;
  }

  private async site(): Promise<void> {
    const { id } = await this.call<{ id: string }>({
      method: 'POST',
      path: '/orgs/sites',
      body: { orgId: this.tenant.orgId, name: `load ${randomUUID()}` },
    });
    this.ledger['site.create'].push(id);
  }

  private async rule(): Promise<void> {
    const name = `load ${randomUUID()}`;
    const { rule } = await this.call<{ rule: { id: string } }>({
      method: 'POST',
      path: '/pam/rules',
      body: { orgId: this.tenant.orgId, name, verdict: 'auto_deny', matchPathGlob: `C:\\never\\${name}` },
    });
    this.ledger['pam.rule.create'].push(rule.id);
  }

  private async role(): Promise<void> {
    const body = {
      name: `load ${randomUUID()}`,
      axis: 'partner',
      partnerId: this.tenant.partnerId,
      permissions: ['devices:read'],
    };
    const { data } = await this.call<{ data: { id: string } }>({ method: 'POST', path: '/roles', body });
    this.ledger['role.create'].push(data.id);
  }

  private async reported(turn: number): Promise<string> {
    const { deviceId, agentToken } = this.tenant;
    const body = {
      subject_username: 'ACME\\ada',
      target_executable_path: `C:\\Tools\\${randomUUID()}.exe`,
      observed_at: new Date().toISOString(),
    };
    const { id } = await this.call<{ id: string }>(
      { method: 'POST', path: `/agents/${deviceId}/elevation-requests`, token: agentToken, body },
      turn % 2 ? this.fresh : this.keeping,
    );
    this.ledger['pam.elevation_request.submit'].push(id);
    return id;
  }

  private async report(turn: number): Promise<void> {
    await this.reported(turn);
  }

  private async decided(turn: number): Promise<void> {
    const id = await this.reported(turn);
    await this.call({ method: 'POST', path: `/pam/elevation-requests/${id}/respond`, body: { decision: 'approve' } });
    this.ledger['pam.elevation_request.approve'].push(id);
  }

  private async requests(): Promise<void> {
    await this.call({ path: `/pam/elevation-requests?orgId=${this.tenant.orgId}&limit=20` });
  }

  private async organizations(): Promise<void> {
    await this.call({ path: '/orgs/organizations?limit=20' }, this.fresh);
  }

  private async me(): Promise<void> {
    await this.call({ path: '/auth/me' });
  }

  private async entries(): Promise<void> {
    await this.call({ path: `/audit-logs?orgId=${this.tenant.orgId}&limit=20` });
  }

  private async subscriptions(): Promise<void> {
    await this.call({ path: '/push-subscriptions' });
  }

  private signedIn(): Promise<{ accessToken: string; refreshToken: string }> {
    return this.call({ method: 'POST', path: '/auth/login', token: null, body: this.person });
  }

  private async signIn(): Promise<void> {
    const { accessToken } = await this.signedIn();
    await this.call({ path: '/auth/me', token: accessToken });
  }

  /** Uses each refresh token once to get the next one: a lost token would end the session. */
  private async refreshing(): Promise<void> {
    let { refreshToken } = await this.signedIn();
    for (; !this.over; await wait(REFRESH_EVERY_MS * this.slowness))
      ({ refreshToken } = await this.call<{ refreshToken: string }>({
        method: 'POST',
        path: '/auth/refresh',
        token: null,
        body: { refreshToken },
      }));
  }

  private async polling(): Promise<void> {
    const { deviceId, agentToken } = this.tenant;
    for (; !this.over; this.polls++) {
      await this.call({ path: `/agents/${deviceId}/commands?waitSeconds=${POLL_SECONDS}`, token: agentToken });
      await wait(10);
    }
  }

  /** Opens the event stream again whenever it ends. */
  private async listening(): Promise<void> {
    const { signal } = this.leaving;
    const headers = { authorization: `Bearer ${this.world.admin.accessToken}` };
    for (; !this.over; await wait(10)) {
      const { statusCode, body } = await request(`${this.world.product.baseUrl}/api/v1/events/stream`, {
        dispatcher: this.fresh,
        headers,
        signal,
      });
      if (statusCode !== 200) throw new Error(`the event stream answered ${statusCode}`);
      this.streams++;
      await body.dump({ limit: Number.MAX_SAFE_INTEGER }).catch((error: unknown) => {
        if (!signal.aborted) throw new Error(`the event stream broke: ${String(error)}`);
      });
    }
  }
}
