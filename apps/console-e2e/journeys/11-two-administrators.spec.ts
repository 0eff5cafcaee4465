import { expect, expectAccessible, test } from '../journey.ts';
import type { Tenant, World } from '../world.ts';

test.describe('journey 11: two administrators', () => {
  test('edit one rule: both values stand side by side, and nothing is lost', async ({ world, openAs, watch }) => {
    watch.expect(/400|412/);
    const tenant = await world.makeTenant();
    const { id } = await makeRule(world, tenant, 'Drivers');
    const address = `/orgs/${tenant.orgId}/rules/${id}`;
    const open = async () => openAs(await world.makePerson('Partner Admin', tenant), address);
    const [first, second] = [await open(), await open()];
    const fill = (page: typeof first, name: string) =>
      page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    const save = (page: typeof first) => page.getByRole('button', { name: 'Save', exact: true }).click();

    await fill(second, 'Drivers of the second');
    await second.getByRole('radio', { name: 'deny' }).click();
    await fill(first, 'Drivers of the first');
    await first.getByRole('textbox', { name: 'Value of user' }).fill('ole');
    const expires = first.getByRole('textbox', { name: 'Expires on' });
    await expires.fill('31/02/2099');
    await save(first);
    await expect(expires).toBeFocused();
    await expires.blur();
    await expect(first.getByText('Enter a date such as 8 Nov 2026.')).toBeVisible();
    await expires.fill('31/1/2099');
    await expect(first.getByText('must be at most 5 years ahead').first()).toBeVisible();
    const nextYear = new Date().getFullYear() + 1;
    await expires.fill(`31/1/${nextYear}`);
    await save(first);
    await first.waitForURL(/\/rules\?org=/);
    await expect(first.getByText('The rule is saved and active.')).toBeVisible();

    await save(second);
    const dialog = second.getByRole('dialog', { name: 'Another person changed “Drivers”' });
    await expect(dialog.locator('[data-member="name"]')).toContainText(/Drivers of the second.*Drivers of the first/);
    await expect(dialog.locator('[data-member="matchUser"]')).toContainText(/not changed by you.*ole/);
    await expect(dialog.getByText(/^Tess Partner Admin saved this .*(?:now|ago)\.$/)).toBeVisible();
    await expectAccessible(second);
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await expect(second.getByRole('textbox', { name: 'Value of user' })).toHaveValue('ole');
    await save(second);
    await second.waitForURL(/\/rules\?org=/);
    const [stored] = await rulesOf(world, tenant);
    expect(stored).toMatchObject({
      name: 'Drivers of the second',
      verdict: 'auto_deny',
      matchUser: 'ole',
      expiresAt: expect.stringMatching(`^${nextYear}-0[12]-`),
    });
  });

  test('order rules by keyboard and from the menu', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    for (const name of ['Alpha', 'Beta', 'Gamma']) await makeRule(world, tenant, name);
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/rules?org=${tenant.orgId}`);
    await page.getByRole('button', { name: /^Position 3: Gamma/ }).focus();
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('status').filter({ hasText: 'Gamma is now at position 2 of 3.' })).toBeAttached();
    await expect(page.getByRole('button', { name: /^Position 2: Gamma/ })).toBeFocused();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Actions: Alpha' }).click();
    await page.getByRole('menuitem', { name: 'Copy to organisations…' }).click();
    await expect(page.getByRole('dialog', { name: 'Copy Alpha' })).toContainText(tenant.orgName);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Actions: Alpha' }).click();
    await page.getByRole('menuitem', { name: 'Move to…' }).click();
    await page.getByRole('spinbutton', { name: 'Position, 1 to 3' }).fill('3');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await expect(page.getByRole('button', { name: /^Position 3: Alpha/ })).toBeVisible();
    expect((await rulesOf(world, tenant)).map(({ name }) => name)).toEqual(['Gamma', 'Beta', 'Alpha']);
  });

  test('what a colleague adds to a list waits above it; what one adds oneself is there at once', async ({
    world,
    openAs,
  }) => {
    const tenant = await world.makeTenant();
    const { orgId } = tenant;
    const person = await world.makePerson('Partner Admin', tenant);
    const other = await world.makePerson('Partner Admin', tenant).then((one) => one.signIn(world.baseUrl));
    const policy = { mode: 'audit', target: { level: 'organization', id: orgId }, rules: [] };
    const place = { ownerScope: 'organization', orgId };
    const saml = { type: 'saml', entityId: 'https://idp.example', ssoUrl: 'https://idp.example/sso' };
    const page = await openAs(person, `/rules?org=${orgId}`);
    for (const { address, path, body, offer } of [
      { address: '/rules', path: '/pam/rules', body: { orgId, verdict: 'auto_deny', matchUser: 'ole' }, offer: 'rule' },
      {
        address: '/rules/signer-groups',
        path: '/pam/signer-groups',
        body: { orgId, signers: ['HP'] },
        offer: 'signer group',
      },
      { address: '/rules/software-policies', path: '/pam/software-policies', body: policy, offer: 'policy' },
      { address: '/sign-on', path: '/sso/providers', body: { ...place, ...saml }, offer: 'provider' },
    ]) {
      const make = (name: string) => other.must('POST', path, { name, ...body });
      await make('Middle');
      await page.goto(`${address}?org=${orgId}`);
      await expect(page.getByRole('row')).toHaveCount(2);
      await expect(page.locator('.gh-arrived')).toHaveText('');
      await expect(page.locator('.gh-arrived')).toHaveCSS('height', '0px');
      const row = page.getByRole('row', { name: /Middle/ });
      const place = await row.boundingBox();
      await make('Alpha');
      const held = page.getByRole('button', { name: `1 new ${offer} – show` });
      await expect(held).toBeVisible();
      expect(await row.boundingBox()).toEqual(place);
      await expect(page.getByText('2 entries')).toHaveCount(0);
      await held.click();
      await expect(page.getByRole('row')).toHaveCount(3);
    }

    await page.goto(`/rules/signer-groups?org=${orgId}`);
    await page.getByRole('button', { name: 'New signer group' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: 'Name' }).fill('Own');
    await form.getByRole('textbox', { name: 'Signers' }).fill('HP');
    await form.getByRole('button', { name: 'Create' }).click();
    await expect(page.getByRole('row', { name: /Own.*HP/ })).toBeVisible();
    await expect(page.getByRole('button', { name: /– show/ })).toHaveCount(0);
  });

  test('a new key of a colleague waits above the list, and one’s own is there at once', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const { orgId, siteId } = tenant;
    const other = await world.makePerson('Partner Admin', tenant).then((one) => one.signIn(world.baseUrl));
    const page = await openAs(await world.makePerson('Partner Admin', tenant), '/people/api-keys');
    await page.clock.install();
    const list = page.getByRole('main');
    const dialog = page.getByRole('dialog');
    for (const { address, path, body } of [
      { address: '/people/api-keys', path: '/api-keys', body: { permissions: ['devices:read'] } },
      { address: `/orgs/${orgId}`, path: '/enrollment-keys', body: { orgId, siteId } },
    ]) {
      const make = (name: string) => other.must('POST', path, { name, ...body });
      await make('Middle');
      await page.goto(address);
      await expect(list).toContainText('Middle');
      await make('Alpha');
      await page.getByRole('button', { name: 'New key' }).click();
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Own laptops');
      if (path === '/api-keys') await dialog.getByRole('checkbox').nth(1).check();
      await dialog.getByRole('button', { name: 'Create' }).click();
      await expect(dialog).toContainText('This is shown once.');
      await dialog.getByRole('button', { name: 'Close' }).click();
      await expect(list).toContainText('Own laptops');
      await expect(list).not.toContainText('Alpha');
      await page.getByRole('button', { name: '1 new key – show' }).click();
      await expect(list).toContainText('Alpha');

      // No event tells of a key: a window that was not hidden reads the list anew when it is used again.
      await make('Omega');
      await page.clock.fastForward('00:31');
      await page.evaluate(() => window.dispatchEvent(new Event('focus')));
      await expect(page.getByRole('button', { name: '1 new key – show' })).toBeVisible();
    }
  });
});

interface Rule {
  readonly id: string;
  readonly name: string;
  readonly verdict: string;
  readonly approvalDurationMinutes: number | null;
}

const makeRule = async (world: World, { orgId }: Tenant, name: string): Promise<Rule> => {
  const rule = { orgId, name, verdict: 'require_approval', matchUser: name.toLowerCase() };
  return (await world.admin.must<{ rule: Rule }>('POST', '/pam/rules', rule)).rule;
};
const rulesOf = async (world: World, { orgId }: Tenant): Promise<Rule[]> =>
  (await world.admin.must<{ rules: Rule[] }>('GET', `/pam/rules?orgId=${orgId}`)).rules;
