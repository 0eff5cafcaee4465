import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../journey.ts';
import type { RoleName } from '../world.ts';

interface Contract {
  readonly paths: Record<string, Record<string, { 'x-access'?: { permission: string | null; levels?: string[] } }>>;
}

const APPS = join(import.meta.dirname, '../..');
const CONTRACTS = ['identity', 'tenancy', 'pam', 'audit'].map(
  (name) => JSON.parse(readFileSync(join(APPS, name, 'openapi.json'), 'utf8')) as Contract,
);

interface Role {
  readonly name: string;
  readonly axis: string;
  readonly permissions: readonly string[];
}

/** A control of a screen, and the operation that it begins. */
const CONTROLS: readonly (readonly [screen: string, control: string, operation: string])[] = [
  ['/people', 'Invite a person', 'post /users'],
  ['/people/roles', 'New role', 'post /roles'],
  ['/orgs', 'New organisation', 'post /orgs/organizations'],
  ['/rules', 'New rule', 'post /pam/rules'],
  ['/library/scripts', 'New script', 'post /scripts'],
];
const ROLES: readonly RoleName[] = ['Partner Viewer', 'Organization Admin', 'Organization Technician'];

/** Whether `x-access` of the contract lets the role call the operation. */
function may(permissions: readonly string[], level: string, operation: string): boolean {
  const [method = '', path = ''] = operation.split(' ');
  const access = CONTRACTS.map(({ paths }) => paths[`/api/v1${path}`]?.[method]?.['x-access']).find(Boolean);
  if (!access) throw new Error(`the contract has no ${operation}`);
  if (access.levels && !access.levels.includes(level)) return false;
  return access.permission === null || permissions.includes('*') || permissions.includes(access.permission);
}

test.describe('journey 19: what each person sees', () => {
  for (const name of ROLES) {
    test(`the role ${name} is offered what the contract allows, and finds nothing of others`, async ({
      world,
      openAs,
      watch,
    }) => {
      watch.expect(/403|404/);
      const [tenant, foreign] = [await world.makeTenant(), await world.makeDevice(await world.makeTenant())];
      const { data: roles } = await world.admin.must<{ data: Role[] }>('GET', '/roles');
      const role = roles.find((one) => one.name === name);
      const sites = name === 'Organization Technician' ? [tenant.siteId] : undefined;
      const page = await openAs(await world.makePerson(name, tenant, sites), `/devices/${foreign.id}`);
      await expect(page.getByRole('heading', { name: 'Not found, or not within your reach' })).toBeVisible();
      for (const [screen, control, operation] of CONTROLS) {
        await page.goto(`${screen}?org=${tenant.orgId}`);
        await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
        const offered = may(role?.permissions ?? [], role?.axis ?? '', operation);
        const found = page.getByText(control, { exact: true });
        // An empty list offers its first record a second time.
        if (offered) await expect(found.first()).toBeVisible();
        else await expect(found).toHaveCount(0);
      }
    });
  }
});
