import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTenant, sql, startWorld, type Tenant, until, type World } from './world.ts';

const OPERATE = join(dirname(fileURLToPath(import.meta.url)), '../../../tools/operate/dist/main.js');

describe('the operator\'s commands', () => {
  let world: World;
  let tenant: Tenant;
  beforeAll(async () => {
    world = await startWorld();
    tenant = await makeTenant(world.admin);
  }, 180_000);
  afterAll(() => world.stop(), 60_000);

  const operate = (...words: string[]): Promise<{ code: number; output: string }> =>
    new Promise((resolve) => {
      const env = { PATH: process.env['PATH'], GATEHOUSE_STACK_DIRECTORY: world.product.directory };
      execFile(process.execPath, [OPERATE, ...words], { env }, (error, stdout, stderr) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }));
    });

  it('rebuild the copies that other services keep of the hierarchy', async () => {
    for (const table of ['device_ref', 'site_ref', 'org_ref', 'partner_ref']) await sql(world, 'pam', `DELETE FROM ${table}`);
    expect(await operate('rebuild', 'tenancy')).toMatchObject({ code: 0, output: expect.stringContaining('"devices":1') });
    await until(async () => (await sql(world, 'pam', 'SELECT FROM device_ref WHERE device_id = $1', [tenant.deviceId])).length === 1);
    await until(async () => (await world.admin.call('GET', `/pam/config?orgId=${tenant.orgId}`)).status === 200);
  }, 60_000);

  it('rotate the signing key without refusing a token that is still good', async () => {
    expect(await operate('rotate', 'signing-key')).toMatchObject({ code: 0 });
    expect((await world.admin.call('GET', '/auth/me')).status).toBe(200);
    await until(async () => (await world.admin.signIn(world.product.administrator)).accessToken !== null, 40);
  }, 60_000);

  it('name what they are when asked for anything else', async () => {
    expect(await operate('forget', 'everything')).toMatchObject({ code: 1, output: expect.stringContaining('rebuild tenancy') });
  });
});
