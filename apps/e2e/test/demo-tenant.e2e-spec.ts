import { seedDemo } from '@gatehouse/stack';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop(), 60_000);

it('the demo tenant is made also when the administrator has just signed in', async () => {
  const { product, admin } = world;
  const context = {
    gatewayUrl: product.baseUrl,
    publicUrl: product.baseUrl,
    administrator: product.administrator,
    mailDirectory: join(product.directory, 'mail'),
    log: () => undefined,
  };
  expect((await seedDemo(context))?.signIns).toMatchObject([
    { who: 'technician' },
    { who: 'partner admin' },
    { who: 'auditor' },
  ]);
  expect(await admin.must('GET', '/orgs/organizations?limit=1')).toMatchObject({ pagination: { total: 2 } });
});
