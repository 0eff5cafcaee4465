import { ApprovalPushRequested } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { TestService, until } from '@gatehouse/testing';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { DeliverPushes } from '../src/deliveries/deliver-pushes.ts';
import { notifierService } from '../src/service.ts';

const service = await TestService.start(notifierService);
afterAll(() => service.stop());
// Beside a delivery under way it may be the victim of a deadlock; the product tries again, too.
beforeEach(() => until(() => service.sql('DELETE FROM push_subscriptions').then(Boolean, () => false)));

describe('pushes that are due', () => {
  it("by the hundred thousand for one person are not read again and again, and hide no other person's", async () => {
    const read = async (): Promise<number> =>
      Number(
        (
          await service.sql<{ rows: string }>(
            `SELECT seq_tup_read + idx_tup_fetch AS rows FROM pg_stat_user_tables WHERE relname = 'push_deliveries'`,
          )
        )[0]?.rows,
      );
    await service.sql(SUBSCRIBE, [1]);
    await service.sql(OWE, [100_000, 900]);
    await service.sql('ANALYZE push_deliveries');
    const [other] = await service.sql<{ id: string; userId: string }>(
      `INSERT INTO push_subscriptions (id, user_id, kind, endpoint, sealed_keys)
        VALUES ($1, $2, 'webhook', 'http://127.0.0.1:1/', '') RETURNING id, user_id AS "userId"`,
      [newId(), newId()],
    );
    await service.deliver(ApprovalPushRequested, {
      approvalId: newId(),
      userId: other?.userId ?? '',
      orgId: newId(),
      partnerId: newId(),
      siteId: null,
      title: 'An approval waits for you',
      expiresAt: new Date(Date.now() + 900_000).toISOString(),
    });
    await until(
      async () =>
        (await service.sql('SELECT FROM push_deliveries WHERE subscription_id = $1 AND attempts > 0', [other?.id]))
          .length === 1,
      3,
    );
    await wait(1_000);
    const before = await read();
    await wait(3_000);
    expect((await read()) - before).toBeLessThan(20_000);
  });

  it('for more people than are looked at together have their turn, each of them', async () => {
    await service.sql(SUBSCRIBE, [700]);
    await service.sql(OWE, [1, 900]);
    await until(async () => (await untried()) === 0);
  });

  it('and were not delivered before their approval expired are forgotten with it', async () => {
    await service.sql(SUBSCRIBE, [2]);
    await service.sql(OWE, [6_000, -1]);
    await service.sql(OWE, [1, 900]);
    await service.service.app.get(DeliverPushes).forgetExpired();
    expect(await service.sql('SELECT DISTINCT expires_at > now() AS lives FROM push_deliveries')).toEqual([
      { lives: true },
    ]);
  });
});

const PARTNER = newId();
/** People whose devices cannot be reached, each with deliveries that have been due for a minute. */
const SUBSCRIBE = `INSERT INTO push_subscriptions (id, user_id, kind, endpoint, sealed_keys)
  SELECT gen_random_uuid(), gen_random_uuid(), 'webhook', 'http://127.0.0.1:1/' || n, ''
  FROM generate_series(1, $1::int) n`;
const OWE = `
  INSERT INTO push_deliveries (id, subscription_id, approval_id, partner_id, title, expires_at, next_attempt_at)
  SELECT gen_random_uuid(), s.id, gen_random_uuid(), '${PARTNER}', 'An approval waits for you',
    now() + make_interval(secs => $2), now() - interval '1 minute'
    FROM push_subscriptions s, generate_series(1, $1::int)`;
const untried = async (): Promise<number> =>
  (await service.sql('SELECT FROM push_deliveries WHERE attempts = 0')).length;
