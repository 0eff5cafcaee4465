import { newId } from '@gatehouse/crypto';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import type { Response } from 'supertest';
import { Passwords } from '../src/people/passwords/passwords.ts';
import { SsoHarness, startScriptedIdp } from './sso.harness.ts';

const idp = await startScriptedIdp();
const sso = await SsoHarness.start([idp.issuer]);
const tenant = await sso.tenant();
afterAll(async () => {
  await sso.stop();
  await idp.stop();
});

describe('an answer that must not tell one case from another', () => {
  it('is the same for unknown, wrong, governed, suspended and locked: words, work and, roughly, time (AUTH-09, AUTH-10)', async () => {
    const enforcing = await sso.tenant(tenant.partnerId);
    await sso.provider(enforcing, idp, { enforceSSO: true });
    const signIn =
      (email: string, password: string): Call =>
      () =>
        sso.identity.login(email, password);
    const calls = [
      signIn(`nobody@${DOMAIN}`, PASSWORD),
      signIn(await member(tenant.orgId), 'not the password at all'),
      signIn(await member(enforcing.orgId), PASSWORD),
      signIn(await member(tenant.orgId, `UPDATE users SET status = 'suspended' WHERE id = $1`), PASSWORD),
      signIn(
        await member(
          tenant.orgId,
          `UPDATE credentials SET failed_attempts = 5, locked_until = now() + interval '1 day' WHERE user_id = $1`,
        ),
        PASSWORD,
      ),
    ];
    const answers = [];
    for (const call of calls) answers.push(wordsOf(await call()));
    for (const answer of answers) expect(answer).toEqual({ ...answers[0], status: 401 });
    const verified = jest.spyOn(sso.service.service.app.get(Passwords, { strict: false }), 'verify');
    const [first, ...others] = await workOf(calls);
    expect(verified).toHaveBeenCalledTimes(calls.length);
    verified.mockRestore();
    for (const work of others) expect(work).toEqual(first);
    expect(await spreadOf(calls, 8, 1.5)).toBeLessThan(1.5);
  });

  it('is the same for real and invented people of a domain, and takes as long for an unknown domain (AUTH-01)', async () => {
    const org = await sso.tenant();
    await sso.provider(org, idp, { enforceSSO: true });
    await sso.service.sql(
      `INSERT INTO sso_domains (id, partner_id, org_id, domain, token, verified_at)
        VALUES ($1, $2, $3, $4, 'x', now())`,
      [newId(), org.partnerId, org.orgId, DOMAIN],
    );
    const discover =
      (email: string): Call =>
      () =>
        sso.anonymous.post('/auth/sso-discovery').send({ email });
    const calls = [
      discover(await member(org.orgId)),
      discover(`${newId()}@${DOMAIN}`),
      discover(`${newId()}@${newId()}.example`),
      discover('no address'),
    ];
    const [real, invented] = [await calls[0]?.(), await calls[1]?.()];
    expect(real?.body.sso).toMatchObject({ enforceSSO: true });
    expect(wordsOf(invented as Response)).toEqual(wordsOf(real as Response));
    const [first, ...others] = await workOf(calls);
    expect(first).toHaveLength(1);
    for (const work of others) expect(work).toEqual(first);
    expect(await spreadOf(calls, 60, 1.6)).toBeLessThan(1.6);
  });

  /** The statements that each call sends to the database. */
  async function workOf(calls: readonly Call[]): Promise<string[][]> {
    const queries = jest.spyOn(pg.Client.prototype, 'query');
    const work = [];
    for (const call of calls) {
      queries.mockClear();
      await call();
      work.push(queries.mock.calls.map(textOf).filter(isOfRequest));
    }
    queries.mockRestore();
    return work;
  }

  async function member(orgId: string, change = ''): Promise<string> {
    const email = `${newId()}@${DOMAIN}`;
    const { userId } = await sso.user({ email, partnerId: tenant.partnerId, orgId });
    await sso.service.sql('INSERT INTO credentials (user_id, password_hash) VALUES ($1, $2)', [
      userId,
      await sso.service.service.app.get(Passwords, { strict: false }).hash(PASSWORD),
    ]);
    if (change) await sso.service.sql(change, [userId]);
    return email;
  }
});

const PASSWORD = 'a long enough passphrase';
const DOMAIN = `${newId()}.example`;
/**
 * A machine under load makes any single measurement unfair; a difference that is really there shows in each of them.
 */
const TRIES = 4;

const textOf = ([query]: unknown[]): string =>
  (typeof query === 'string' ? query : String((query as { text?: string }).text)).trim();
/** What relay and sweeps do beside the request. */
const isOfRequest = (text: string): boolean =>
  !/^(BEGIN|COMMIT|ROLLBACK)/.test(text) &&
  !/SKIP LOCKED|pg_advisory|FROM outbox|UPDATE outbox|mail_outbox|signing_keys|tenant_tasks|DELETE FROM/.test(text);

type Call = () => PromiseLike<Response>;

const median = (times: number[]): number => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

/** Medians in milliseconds of the calls, taken in turn so that load falls on all of them alike. */
async function mediansOf(calls: readonly Call[], rounds: number): Promise<number[]> {
  const times = calls.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, call] of calls.entries()) {
      const began = performance.now();
      await call();
      times[at]?.push(performance.now() - began);
    }
  }
  return times.map(median);
}

/** The best ratio of slowest to quickest in several measurements. */
async function spreadOf(calls: readonly Call[], rounds: number, enough: number): Promise<number> {
  let best = Infinity;
  for (let attempt = 0; attempt < TRIES && best > enough; attempt++) {
    const medians = await mediansOf(calls, rounds);
    best = Math.min(best, Math.max(...medians) / Math.min(...medians));
  }
  return best;
}

const wordsOf = ({ status, body, headers }: Response): object => ({
  status,
  body: { ...(body as object), requestId: '' },
  headers: { ...headers, date: '', 'x-request-id': '' },
});
