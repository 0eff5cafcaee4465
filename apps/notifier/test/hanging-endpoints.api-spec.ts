import { ApprovalPushRequested } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { aPartnerTechnician, TestService, stopwatch, until } from '@gatehouse/testing';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { DeliverPushes } from '../src/deliveries/deliver-pushes.ts';
import { notifierService } from '../src/service.ts';

const [hanging, answering] = await Promise.all([anEndpoint(false), anEndpoint(true)]);
const service = await TestService.start(notifierService, {
  env: { EGRESS_ALLOW_HOSTS: `${hanging.address},${answering.address}`, EGRESS_ALLOW_HTTP: 'true' },
});
afterAll(async () => {
  await service.stop();
  for (const { server } of [hanging, answering]) server.closeAllConnections();
  for (const { server } of [hanging, answering]) server.close();
});

describe('endpoints that take a push and never answer', () => {
  beforeEach(async () => {
    await service.sql('DELETE FROM push_deliveries');
    await until(() => hanging.seen.open === 0);
  });

  it('hold back the pushes of their own person only, and are not all tried at once', async () => {
    const [slow, other] = [await subscriber(hanging, 20), await subscriber(answering, 1)];
    for (let approvals = 0; approvals < 5; approvals++) await ask(slow);
    await until(() => hanging.seen.open > 0);
    for (let pushes = 1; pushes <= 3; pushes++) {
      const spent = stopwatch();
      await ask(other);
      await until(() => answering.seen.all === pushes);
      expect(spent()).toBeLessThan(4_000);
      await wait(700);
    }
    expect(hanging.seen.open).toBeGreaterThan(0);
    expect(hanging.seen.open).toBeLessThan(10);
  });

  it('of many users make another one wait for the next slot only', async () => {
    const other = await subscriber(answering, 1);
    const slow = await Promise.all(Array.from({ length: 25 }, () => subscriber(hanging, 4)));
    for (const userId of [...slow, ...slow, ...slow]) await ask(userId);
    await until(() => hanging.seen.open >= 50);
    const [before, spent] = [answering.seen.all, stopwatch()];
    await ask(other);
    await until(() => answering.seen.all > before);
    expect(spent()).toBeLessThan(12_000);
  });

  it('are waited for by a replica that stops; one that is killed leaves its pushes to another within a minute', async () => {
    await ask(await subscriber(hanging, 2));
    await until(() => hanging.seen.open === 2);
    const claims = (): Promise<object[]> =>
      service.sql(
        `SELECT attempts, last_error IS NULL AS under_way, delivered_at IS NULL
          AND next_attempt_at <= now() + interval '1 minute' AS comes_again FROM push_deliveries`,
      );
    expect(await claims()).toEqual(Array(2).fill({ attempts: 1, under_way: true, comes_again: true }));
    await service.service.app.get(DeliverPushes).onApplicationShutdown();
    expect(await claims()).toEqual(Array(2).fill({ attempts: 1, under_way: false, comes_again: true }));
    // The end of a connection takes a moment to reach its other end.
    await until(() => hanging.seen.open === 0, 1);
  });

  /** A technician with webhooks at the endpoint. */
  async function subscriber({ address }: Endpoint, webhooks: number): Promise<string> {
    const technician = aPartnerTechnician(partnerId);
    for (let at = 0; at < webhooks; at++)
      await service
        .as(technician)
        .post('/push-subscriptions')
        .send({ kind: 'webhook', endpoint: `http://${address}/${at}` })
        .expect(201);
    return technician.userId;
  }
  const ask = (userId: string): Promise<void> =>
    service.deliver(ApprovalPushRequested, {
      approvalId: newId(),
      userId,
      orgId: newId(),
      partnerId,
      siteId: null,
      title: 'An approval waits for you',
      expiresAt: new Date(Date.now() + 900_000).toISOString(),
    });
});

const partnerId = newId();

interface Endpoint {
  readonly server: Server;
  readonly address: string;
  /** Requests that have come, and those of them that wait for an answer. */
  readonly seen: { all: number; open: number };
}

async function anEndpoint(answers: boolean): Promise<Endpoint> {
  const seen = { all: 0, open: 0 };
  const server = createServer((request, response) => {
    seen.all++;
    seen.open++;
    response.on('close', () => seen.open--);
    request.resume();
    if (answers) response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, address: `127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
