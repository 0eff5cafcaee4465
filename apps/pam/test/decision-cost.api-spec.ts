import { anOrgAdmin } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PamHarness } from './pam.harness.ts';

const pam = await PamHarness.start();
const tenant = await pam.tenant();
afterAll(() => pam.stop());

describe('the cost of a decision', () => {
  it('is three waits for the database, and the lock comes before the statement that decides', async () => {
    const id = await pam.request(tenant);
    const watched = watchWrites();
    const { status } = await pam
      .as(anOrgAdmin(tenant.partnerId, tenant.orgId))
      .post(`/pam/elevation-requests/${id}/respond`)
      .send({ decision: 'approve' });
    const writes = watched.of(/^WITH moved AS \(UPDATE elevation_requests/);
    watched.stop();
    expect(status).toBe(200);
    const of = (pattern: RegExp) => expect.stringMatching(pattern) as unknown;
    expect(writes).toEqual([
      [
        of(/^BEGIN/),
        of(/pg_advisory_xact_lock_shared/),
        of(/^WITH begun AS/),
        of(/pg_advisory_xact_lock_shared/),
        of(/^WITH moved AS/),
      ],
      [of(/^UPDATE approvals /), of(/^UPDATE approval_questions /)],
      [of(/^INSERT INTO outbox /), 'COMMIT'],
    ]);
  });
});

const textOf = ([query]: unknown[]): string =>
  (typeof query === 'string' ? query : String((query as { text?: string }).text)).replace(/\s+/g, ' ').trim();

/** What one connection was sent, statements that left in one write together. */
function watchWrites() {
  const writes = new Map<unknown, string[][]>();
  const open = new Set<unknown>();
  const real = Reflect.get(pg.Client.prototype, 'query') as (...call: unknown[]) => unknown;
  Reflect.set(pg.Client.prototype, 'query', function (this: pg.Client, ...call: unknown[]) {
    const sent = writes.get(this) ?? [];
    writes.set(this, sent);
    if (open.has(this)) sent.at(-1)?.push(textOf(call));
    else {
      sent.push([textOf(call)]);
      open.add(this);
      setImmediate(() => open.delete(this));
    }
    return real.apply(this, call);
  });
  return {
    /** The writes of the connection that was sent a statement like this. */
    of: (statement: RegExp): string[][] =>
      [...writes.values()].find((sent) => sent.flat().some((text) => statement.test(text))) ?? [],
    stop: () => Reflect.set(pg.Client.prototype, 'query', real),
  };
}
