import { stopwatch } from '@gatehouse/testing';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { codeIn, SsoHarness, startScriptedIdp } from './sso.harness.ts';

const idp = await startScriptedIdp();
const sso = await SsoHarness.start([idp.issuer]);
const tenant = await sso.tenant();
await sso.provider(tenant, idp);
await sso.exchange(codeIn(await sso.signIn(tenant)));
afterAll(async () => {
  await sso.stop();
  await idp.stop();
});

describe('the cost of a sign-in', () => {
  it('is at most seven statements for a linked person, from the start to the tokens', async () => {
    const queries = jest.spyOn(pg.Client.prototype, 'query');
    const tokens = await sso.exchange(codeIn(await sso.signIn(tenant)));
    const statements = queries.mock.calls.map(textOf).filter(isOurs);
    queries.mockRestore();
    expect(tokens.status).toBe(200);
    expect(statements.length).toBeLessThanOrEqual(7);
    expect(statements.length).toBeGreaterThan(4);
  });

  it('waits for the disk with all but the attempt, which can be begun again', async () => {
    const queries = jest.spyOn(pg.Client.prototype, 'query');
    await sso.exchange(codeIn(await sso.signIn(tenant)));
    const careless = queries.mock.calls
      .map(textOf)
      .filter((text) => text.includes('synchronous_commit') && !/^BEGIN/.test(text));
    queries.mockRestore();
    expect(careless.map((text) => /(INSERT INTO|DELETE FROM|UPDATE) \w+/.exec(text)?.[0])).toEqual([
      'INSERT INTO sso_login_sessions',
    ]);
  });

  it("holds no database connection while the provider thinks: others' sign-ins go on", async () => {
    const slow = await startScriptedIdp();
    const beside = await SsoHarness.start([idp.issuer, slow.issuer]);
    const [stuck, quick] = [await beside.tenant(), await beside.tenant()];
    await beside.provider(stuck, slow);
    await beside.provider(quick, idp);
    slow.always({ token: { hang: true } });
    const trips = await Promise.all(Array.from({ length: 30 }, () => beside.start(stuck)));
    const hanging = trips.map(async (trip) =>
      beside.callback(await beside.wayBack(trip), trip.cookie).then(({ status }) => status),
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    const spent = stopwatch();
    expect(codeIn(await beside.signIn(quick))).toMatch(/^[\w-]{43}$/);
    expect(spent()).toBeLessThan(4_000);
    expect(new Set(await Promise.all(hanging))).toEqual(new Set([302]));
    await beside.stop();
    await slow.stop();
  });
});

const textOf = ([query]: unknown[]): string =>
  (typeof query === 'string' ? query : String((query as { text?: string }).text)).trim();
/** Not part of a sign-in: transaction brackets, and the relay and sweeps that run beside it. */
const isOurs = (text: string): boolean =>
  !/^(BEGIN|COMMIT|ROLLBACK)/.test(text) &&
  !/SKIP LOCKED|pg_advisory|FROM outbox|UPDATE outbox|mail_outbox|signing_keys/.test(text);
