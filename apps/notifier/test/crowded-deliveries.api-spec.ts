import { newId } from '@gatehouse/crypto';
import { aPartnerTechnician, TestService, stopwatch, until } from '@gatehouse/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NotifierConfig } from '../src/notifier.config.ts';
import { notifierService } from '../src/service.ts';

const open = { hanging: 0 };

describe('more pushes than a turn takes', () => {
  let address: string;
  let service: TestService<NotifierConfig>;
  beforeAll(async () => {
    await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
    address = `127.0.0.1:${(vendor.address() as AddressInfo).port}`;
    service = await TestService.start(notifierService, {
      env: { EGRESS_ALLOW_HOSTS: address, EGRESS_ALLOW_HTTP: 'true' },
    });
  });
  afterAll(async () => {
    await service.stop();
    vendor.closeAllConnections();
    vendor.close();
  });
  // Beside a delivery under way it may be the victim of a deadlock; the product tries again, too.
  beforeEach(() => until(() => service.sql('DELETE FROM push_subscriptions').then(Boolean, () => false), 15));

  it('are taken turn after turn without a pause, also while many vendors hang', async () => {
    const [hanging, answering] = [await people(SMALL, 15, 'hangs', 4), await people(BIG, 5, 0, 20)];
    await owe(SMALL, hanging, 3);
    await until(async () => open.hanging === 60, 10);
    const spent = stopwatch();
    await owe(BIG, answering, 1);
    await until(async () => (await undelivered(answering)) === 0, 20);
    // Four slots are left until the vendors are given up, after five seconds: 250 ms between two turns would use them
    // up.
    expect(spent()).toBeLessThan(4_000);
    expect(await undelivered(hanging)).toBe(180);
    expect(
      await service.sql('SELECT DISTINCT attempts FROM push_deliveries WHERE subscription_id = ANY ($1::uuid[])', [
        answering,
      ]),
    ).toEqual([{ attempts: 1 }]);
  });

  it('of one partner let another have the next slot that is free', async () => {
    const [many, one] = [await people(BIG, 400, 1_500), await people(SMALL, 1, 0)];
    await owe(BIG, many, 2);
    await until(async () => (await undelivered(many)) < many.length * 2, 10);
    const spent = stopwatch();
    await owe(SMALL, one, 1);
    await until(async () => (await undelivered(one)) === 0, 20);
    expect(spent()).toBeLessThan(4_000);
    expect(await undelivered(many)).toBeGreaterThan(400);
  });

  const vendor = aVendor();

  /** People with webhooks at a vendor that answers after so long; `hangs`: never. @returns their subscriptions */
  async function people(
    partnerId: string,
    count: number,
    answersAfterMs: number | 'hangs',
    webhooks = 1,
  ): Promise<string[]> {
    const ids: string[] = [];
    for (let left = count; left > 0; left -= 20) {
      await Promise.all(
        Array.from({ length: Math.min(left, 20) }, async () => {
          const technician = service.as(aPartnerTechnician(partnerId));
          for (let at = 0; at < webhooks; at++)
            ids.push(
              (
                await technician
                  .post('/push-subscriptions')
                  .send({ kind: 'webhook', endpoint: `http://${address}/${answersAfterMs}/${at}` })
                  .expect(201)
              ).body.data.id,
            );
        }),
      );
    }
    return ids;
  }
  /** So many pushes to each of the subscriptions, all due now. */
  const owe = (partnerId: string, subscriptions: readonly string[], each: number): Promise<unknown> =>
    service.sql(
      `INSERT INTO push_deliveries (id, subscription_id, approval_id, partner_id, title, expires_at)
        SELECT gen_random_uuid(), s, gen_random_uuid(), $1, 'An approval waits for you', now() + interval '15 minutes'
        FROM unnest($2::uuid[]) s, generate_series(1, $3::int)`,
      [partnerId, subscriptions, each],
    );
  const undelivered = async (subscriptions: readonly string[]): Promise<number> =>
    (
      await service.sql(
        'SELECT FROM push_deliveries WHERE subscription_id = ANY ($1::uuid[]) AND delivered_at IS NULL',
        [subscriptions],
      )
    ).length;
});

const [BIG, SMALL] = [newId(), newId()];

/** A vendor on loopback; the first part of a path says after how many milliseconds it answers. */
function aVendor(): Server {
  return createServer((request, response) => {
    request.resume();
    const [, after] = /^\/(\d+)\//.exec(request.url ?? '') ?? [];
    if (!after) {
      open.hanging++;
      response.on('close', () => open.hanging--);
    } else setTimeout(() => response.writeHead(204).end(), Number(after));
  });
}
