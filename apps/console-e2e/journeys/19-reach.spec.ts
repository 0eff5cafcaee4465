import type { Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf, makeScene, type Scene, type Screen, SCREENS, Tour } from '../every-screen.ts';
import { expect, expectAccessible, test } from '../journey.ts';
import { cutOff, enlargeText, smallTargets, squeezed, standingOut } from '../senses.ts';
import { WaysOut } from '../ways-out.ts';
import { type RoleName, until, type World } from '../world.ts';

const ROLES: readonly RoleName[] = [
  'Partner Admin',
  'Partner Technician',
  'Partner Viewer',
  'Organization Admin',
  'Organization Technician',
  'Organization Viewer',
];

let known: Promise<Scene> | undefined;

test.describe('journey 19: what each person sees', () => {
  // Each walks over all screens: one after another they would end long after all other journeys.
  test.describe.configure({ mode: 'parallel' });

  for (const name of ROLES) {
    // The administrator, who sees all screens, looks at each in other sizes too (journey 22).
    const seesAll = name === 'Partner Admin';
    const sizes = seesAll ? '; none stands out or is squeezed, and whatever opens can be left in each way' : '';
    test(`${name}: every screen has the allowed controls and calls${sizes}`, async ({ world, openAs, watch }) => {
      test.setTimeout(900_000);
      watch.expect(/404 .*\/pam\/replays\//); // Of a whole organisation: a site's technician has none.
      const { tenant, ids } = await sceneOf(world);
      const { data: roles } = await world.admin.must<{ data: Role[] }>('GET', '/roles');
      const role = roles.find((one) => one.name === name);
      if (!role) throw new Error(`there is no role ${name}`);
      const sites = name === 'Organization Technician' ? [tenant.siteId] : undefined;
      const page = await openAs(await world.makePerson(name, tenant, sites), '/settings/profile');
      const tour = new Tour(page);
      const { body } = await (await world.sessionOf(page.context())).call('GET', '/approvals?status=pending&limit=1');
      const { approvals } = body as { approvals?: { id: string }[] };
      const ways = new WaysOut(page, tour);
      if (seesAll) await ways.holdChanges(watch);
      const own = { ...ids, ...(approvals?.[0] && { approvalId: approvals[0].id }) };
      for (const [route, screen] of Object.entries(SCREENS)) {
        const address = addressOf(route, own);
        if (address === null) continue;
        await tour.visit(address);
        const labels = Object.keys(screen.controls);
        const allowed = labels.filter((label) => isOffered(role, screen, label, sites !== undefined));
        await expect.soft.poll(() => controlsOn(page, labels), { message: route }).toEqual(allowed);
        expect.soft(await cutOffIn(page, [SMALL_PHONE, DESK]), route).toEqual([]);
        await expect.soft(page.getByText(UNREAD), route).toHaveCount(0);
        const denied = page.locator('main', { has: page.getByRole('heading', { name: "You don't have access" }) });
        expect.soft(await denied.locator('.gh-filters:visible').count(), route).toBe(0);
        if (!seesAll) continue;
        expect.soft(await faultsOfSize(page), route).toEqual([]);
        expect.soft(await ways.faultsAt(address), route).toEqual([]);
      }
      if (seesAll) expect(ways.left.length, ways.left.join('\n')).toBeGreaterThan(50);
    });
  }

  test('whatever opens on a phone can be left in each way', async ({ world, openAs, watch }) => {
    test.setTimeout(600_000);
    const { tenant, ids } = await sceneOf(world);
    const page = await openAs(await world.makePerson('Partner Admin', tenant), '/', { viewport: SMALL_PHONE });
    const tour = new Tour(page);
    const ways = new WaysOut(page, tour);
    await ways.holdChanges(watch);
    for (const route of OF_PHONE) {
      await tour.visit(addressOf(route, ids) ?? '');
      expect.soft(await ways.faultsAt(addressOf(route, ids) ?? ''), route).toEqual([]);
    }
    expect(ways.left.length, ways.left.join('\n')).toBeGreaterThan(30);
  });

  test('no screen asks an operator, who belongs to no partner, for what is refused, and partners are named', async ({
    world,
    openAs,
    watch,
  }) => {
    watch.expect(/status 403/); // Screens of a partner are refused before they are loaded.
    const tenant = await world.makeTenant(`Fabrikam ${randomUUID().slice(0, 8)}`);
    await world.makeTenant(tenant.orgName);
    const { name } = await world.admin.must<{ name: string }>('GET', `/orgs/partners/${tenant.partnerId}`);
    const page = await until(() => openAs(world.operator, '/settings/profile'));
    const refused: string[] = [];
    page.on('response', (one) => one.status() >= 400 && refused.push(`${one.status()} ${one.url()}`));
    const tour = new Tour(page);
    for (const route of Object.keys(SCREENS).filter((one) => !one.includes('$'))) await tour.visit(route);
    expect(refused).toEqual([]);
    for (const route of ['/rules', '/sign-on/new']) {
      await tour.visit(route);
      await page.getByRole('textbox', { name: 'Search organisations' }).fill(tenant.orgName);
      await expect(page.getByRole('button', { name: `${tenant.orgName} · ${name}` })).toBeVisible();
    }
    await tour.visit(`/orgs?q=${tenant.orgName}`);
    await expect(page.getByRole('row', { name: new RegExp(`${tenant.orgName} ${name}`) })).toBeVisible();
  });

  test('an operator chooses the partner of what it makes', async ({ world, openAs }) => {
    const tenant = await world.makeTenant(`Fabrikam ${randomUUID().slice(0, 8)}`);
    await world.makeTenant();
    const { name, slug } = await world.admin.must<Partner>('GET', `/orgs/partners/${tenant.partnerId}`);
    const made = slug.replace('-', '_');
    const page = await until(() => openAs(world.operator, '/orgs'));
    const dialog = page.getByRole('dialog');
    const choosePartner = async (place: Page | typeof dialog, label = 'Partner') => {
      await place.getByRole('combobox', { name: label }).fill(name);
      // A press on a list that becomes shorter at the moment hits no entry.
      await expect(page.getByRole('option', { name: /^Acme/ })).toHaveCount(1);
      await page.getByRole('option', { name, exact: true }).click();
    };
    for (const [address, button, field = 'Name', content] of OWNED) {
      await page.goto(address);
      await page.getByRole('button', { name: button }).click();
      await choosePartner(dialog);
      await dialog.getByRole('textbox', { name: field, exact: true }).fill(made);
      if (content) await dialog.getByRole('textbox', { name: content, exact: true }).fill(made);
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Create' }).click();
      await expect(dialog).toHaveCount(0);
      // The list of organisations has more than one page.
      if (address === '/orgs') continue;
      await page.goto(address); // What is made may have opened its own page.
      await expect(page.getByRole('row', { name: new RegExp(`${made}.* ${name}`) })).toBeVisible();
    }
    await page.getByRole('link', { name: made }).click();
    await expect(page.getByRole('main').getByText(name, { exact: true })).toBeVisible();
    await page.goto('/orgs');
    await choosePartner(page);
    await expect(page.getByRole('main').getByRole('row')).toHaveCount(3); // Of all rows those of the partner.
    await page.goto('/rules/partner');
    await expect(page.getByText('Choose a partner to see')).toBeVisible();
    await choosePartner(page);
    await page.getByRole('link', { name: 'New partner rule' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('No games');
    await page.getByRole('combobox', { name: 'Add a criterion' }).selectOption('signer');
    await page.getByRole('textbox', { name: 'Value of signer' }).fill('Valve');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'No games' }).click();
    await expect(page).toHaveURL(new RegExp(`partner=${tenant.partnerId}`));
    await page.goto('/people/roles');
    await page.getByRole('link', { name: 'New role' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(slug);
    await choosePartner(page);
    await page.getByRole('checkbox').nth(1).check();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await expect(page.getByRole('row', { name: new RegExp(`${slug}.*${name}`) })).toBeVisible();
    await page.goto('/audit');
    await choosePartner(page, 'Chain');
    await expect(page).toHaveURL(new RegExp(`chain=${tenant.partnerId}`));
    await page.goto('/people/api-keys');
    await expect(page.getByText('Operators limit the API keys of one organisation')).toBeVisible();
    for (const { address, link } of IMPORTS) {
      await page.goto(address);
      await page.getByRole('link', { name: link, exact: true }).click();
      await page.getByRole('textbox', { name: 'Search organisations' }).fill(tenant.orgName);
      await expect(page.getByRole('button', { name: new RegExp(`${tenant.orgName}.*${name}`) })).toBeVisible();
    }
    await page.goto(`/settings/partner?partner=${tenant.partnerId}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByRole('textbox', { name: 'Billing e-mail' }).fill('billing@acme.example');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('main')).toContainText('billing@acme.example');
  });

  for (const name of ['Partner Admin', 'Organization Admin'] as const)
    test(`${name}: an address with a foreign id or none says so, and asks at most once`, async ({
      world,
      openAs,
      watch,
    }) => {
      watch.expect(/40[034] /);
      const { tenant, ids } = await sceneOf(world);
      const other = await makeScene(world);
      const foreign: Scene['ids'] = { ...other.ids, approvalId: other.tenant.orgId };
      const page = await openAs(await world.makePerson(name, tenant), '/settings/profile');
      const refused = new Set<string>();
      page.on('response', (one) => one.status() >= 400 && refused.add(`${one.status()} ${one.url()}`));
      const tour = new Tour(page);
      const none = Object.fromEntries(Object.keys(foreign).map((id) => [id, 'nonsense']));
      const elsewhere = { ...ids, orgId: foreign['orgId'] ?? '' };
      for (const route of Object.keys(SCREENS).filter((one) => one.includes('$')))
        for (const named of route.includes('$orgId') ? [foreign, none, elsewhere] : [foreign, none]) {
          const [address = ''] = addressOf(route, named)?.split('?') ?? [];
          refused.clear();
          await tour.visit(address);
          await expect.soft(page.getByRole('heading', { name: NOT_FOUND_OR_DENIED }), address).toBeVisible();
          expect.soft(refused.size, `${address}: ${[...refused].join()}`).toBeLessThan(named === none ? 1 : 2);
        }
    });
});

interface Contract {
  readonly paths: Record<string, Record<string, { 'x-access'?: { permission: string | null; levels?: string[] } }>>;
}

interface Partner {
  readonly name: string;
  readonly slug: string;
}

interface Role {
  readonly name: string;
  readonly axis: string;
  readonly permissions: readonly string[];
}

const APPS = join(import.meta.dirname, '../..');
const CONTRACTS = readdirSync(APPS)
  .map((name) => join(APPS, name, 'openapi.json'))
  .filter((file) => existsSync(file))
  .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Contract);
const DESK = { width: 1280, height: 800 };
/** A desk at 400 %. */
const ZOOMED = { width: 320, height: 256 };
const SMALL_PHONE = { width: 360, height: 780 };
/** Between them they have each kind of overlay: filters, menus, forms, confirmations, trees and lists of choices. */
const OF_PHONE = [
  ...['/', '/approvals', '/active', '/freezes', '/requests', '/devices/$deviceId', '/devices/groups/$groupId'],
  ...['/orgs/$orgId', '/orgs/$orgId/contacts', '/rules', '/rules/software-policies', '/rules/capture/$policyId'],
  ...['/people', '/people/$userId', '/sign-on/set-up', '/library/custom-fields', '/settings/defaults', '/audit'],
];
const PHONE = { width: 390, height: 844 };
/** What the screen says where a call fails; what a role may not call is no such failure. */
const UNREAD = 'Some data on this screen could not be loaded';
/** A person's role may not open the screen of anything. */
const NOT_FOUND_OR_DENIED = /you don't have access/i;
/** What belongs to a partner: where it is made, by which button, and the fields that it needs. */
const OWNED = [
  ['/orgs', 'New organisation'],
  ['/library/scripts', 'New script', 'Name', 'Script'],
  ['/library/custom-fields', 'New custom field', 'Name', 'Key'],
  ['/rules/capture', 'New policy'],
] as const;

const IMPORTS = [
  { address: '/library/scripts', link: 'Import' },
  { address: '/library/custom-fields', link: 'Import fields' },
  { address: '/library/custom-fields', link: 'Import values' },
];

/** Whether `x-access` of the contract lets the role call the operation. */
function may({ permissions, axis }: Role, operation: string | null): boolean {
  if (operation === null) return true;
  const [method = '', path = ''] = operation.split(' ');
  const accessIn = ({ paths }: Contract) => paths[`/api/v1${path}`]?.[method.toLowerCase()]?.['x-access'];
  const access = CONTRACTS.map(accessIn).find(Boolean);
  if (!access) throw new Error(`the contract has no ${operation}`);
  if (access.levels && !access.levels.includes(axis)) return false;
  return access.permission === null || permissions.includes('*') || permissions.includes(access.permission);
}

/** Whether the role, for all organisations of its partner, changes what reaches each of them. */
const reachesAll = ({ permissions, axis }: Role): boolean =>
  axis === 'partner' && ['*', 'organizations:write'].some((one) => permissions.includes(one));

/** Whether the role is offered the control of the screen. */
const isOffered = (role: Role, screen: Screen, label: string, isConfined: boolean): boolean =>
  may(role, screen.needs) &&
  may(role, screen.controls[label] ?? null) &&
  !(isConfined && (screen.beyondSites || screen.controlsBeyondSites?.includes(label))) &&
  (!screen.partnerWide || reachesAll(role));

/**
 * The controls of the table that the screen shows, or has in its menu, apart from decisions that are shown with why
 * they are refused.
 */
async function controlsOn(page: Page, labels: readonly string[]): Promise<readonly string[]> {
  const more = page.locator('main').getByRole('button', { name: 'More actions' });
  const entries: string[] = [];
  if (await more.isVisible()) {
    await more.click();
    entries.push(...(await page.getByRole('menuitem').allTextContents()));
    await page.keyboard.press('Escape');
  }
  const shown = await page
    .locator('main')
    .evaluate((main) =>
      [...main.querySelectorAll('button, a, input[aria-label]')]
        .filter((one) => one.checkVisibility() && !one.closest('[data-obstacle]'))
        .map((one) => one.getAttribute('aria-label') ?? one.textContent.trim()),
    );
  const fits = (label: string, text: string) =>
    label.endsWith('*') ? text.startsWith(label.slice(0, -1)) : text === label;
  return labels.filter((label) => [...shown, ...entries].some((text) => fits(label, text)));
}

/** What stands out sideways at 200 % text or at 400 % zoom, and what is squeezed or small on a phone. */
async function faultsOfSize(page: Page): Promise<readonly string[]> {
  await enlargeText(page);
  const faults = (await standingOut(page)).map((one) => `with larger text: ${one}`);
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  await page.setViewportSize(ZOOMED);
  for (const one of await standingOut(page)) faults.push(`zoomed: ${one}`);
  await page.setViewportSize(PHONE);
  for (const one of await squeezed(page)) faults.push(`on a phone: ${one}`);
  for (const one of await smallTargets(page)) faults.push(`too small for a finger: ${one}`);
  await page.setViewportSize(DESK);
  return faults;
}

/** What is cut off in each size; the last one stays. */
async function cutOffIn(page: Page, sizes: readonly (typeof DESK)[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const size of sizes) {
    await page.setViewportSize(size);
    faults.push(...(await cutOff(page)).map((one) => `${size.width}: ${one}`));
  }
  return faults;
}
/** One for all tests of a worker. */
const sceneOf = (world: World): Promise<Scene> => (known ??= makeScene(world));
