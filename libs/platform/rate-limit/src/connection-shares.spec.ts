import { asService, type Caller, callerOf, NOWHERE, type Principal, type UserCaller } from '@gatehouse/contracts-core';
import { describe, expect, it } from '@jest/globals';
import { ConnectionShares } from './connection-shares.ts';
import { Limits } from './limits.ts';

function callerNamed(userId: string, partnerId: string, own: Partial<UserCaller> = {}): UserCaller {
  const person = { kind: 'user', id: userId, userId, level: 'partner', partnerId, orgId: null } as const;
  const principal = { ...person, orgs: 'all', sites: 'all', permissions: [] } as Partial<Principal> as Principal;
  return { ...callerOf(principal, NOWHERE), ...own };
}

describe('the connections of requests', () => {
  it.each([
    ['partners', callerNamed],
    ['organisations of one partner', (name: string, orgId: string) => callerNamed(name, 'partner', { orgId })],
  ])('R-61: of %s, one person holds six, one tenant seven, and all people eight', async (_, named) => {
    const pool = new Pool();
    await pool.take(named('ann', 'acme'), 60);
    expect(pool.open).toBe(6);
    await pool.take(named('bob', 'acme'), 60);
    expect(pool.open).toBe(7);
    await pool.take(named('eve', 'other'), 60);
    expect(pool.open).toBe(8);
  });

  it('R-62: what is left is for the service itself and for acts that protect', async () => {
    const pool = new Pool();
    for (const name of ['ann', 'bob', 'eve']) await pool.take(callerNamed(name, name), 60);
    await pool.take(callerNamed('ann', 'ann', { protects: true }), 60);
    expect(pool.open).toBe(10);
    await pool.take(asService('identity'), 1);
    expect(pool.open).toBe(11);
  });

  it('R-61: changes of one object take one connection, in the order in which they came', async () => {
    const pool = new Pool();
    const ended: number[] = [];
    const changes = { of: '/rules/1', isOneObject: true };
    const all = Array.from({ length: 5 }, (_, at) =>
      pool.shares.write(callerNamed(`user ${at}`, `partner ${at}`, { changes }), pool.hold).then(() => ended.push(at)),
    );
    for (let at = 0; at < 5; at++) {
      await new Promise(setImmediate);
      expect(pool.open).toBe(1);
      pool.held.shift()?.();
    }
    await Promise.all(all);
    expect(ended).toEqual([0, 1, 2, 3, 4]);
  });

  it('what waits for an object that the database cannot change now is refused with it', async () => {
    const { shares } = new Pool();
    const ann = callerNamed('ann', 'acme', { changes: { of: '/rules/1', isOneObject: true } });
    const all = Array.from({ length: 3 }, () => shares.write(ann, () => Promise.reject(DOWN)));
    const results = await Promise.allSettled(all);
    expect(results.map((result) => (result.status === 'rejected' ? (result.reason as Error) : null))).toMatchObject([
      DOWN,
      { code: 'unavailable' },
      { code: 'unavailable' },
    ]);
  });
});

const DOWN = new Error('the database is away');

/** Work that counts how much of it is under way, and ends when it is told to. */
class Pool {
  open = 0;
  readonly held: (() => void)[] = [];
  readonly shares = new ConnectionShares(new Limits(), (error) => error === DOWN);

  readonly hold = async (): Promise<void> => {
    this.open++;
    await new Promise<void>((resolve) => this.held.push(resolve));
    this.open--;
  };

  async take(caller: Caller, count: number, kind: 'read' | 'write' = 'read'): Promise<void> {
    for (let at = 0; at < count; at++) void this.shares[kind](caller, this.hold).catch(() => undefined);
    await new Promise(setImmediate);
  }
}
