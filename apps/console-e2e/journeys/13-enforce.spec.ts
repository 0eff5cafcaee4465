import { randomUUID } from 'node:crypto';
import { expect, expectAccessible, test } from '../journey.ts';
import { signInAtProvider } from '../pages/provider-page.ts';
import { SignInPage } from '../pages/sign-in-page.ts';

test.describe('journey 13: enforce single sign-on', () => {
  test('only after a sign-in, behind the list of whom it concerns', async ({ world, openAs, open, watch }) => {
    watch.expect(/40[01]/);
    const tenant = await world.makeTenant();
    const id = await world.makeProvider('oidc', tenant, { name: 'Own provider' });
    const [governed, spared] = [
      await world.makePerson('Organization Viewer', tenant),
      await world.makePerson('Organization Admin', tenant),
    ];
    const { data } = await world.admin.must<{ data: { id: string; email: string }[] }>(
      'GET',
      `/users?orgId=${tenant.orgId}`,
    );
    const sparedId = data.find(({ email }) => email === spared.email)?.id;
    await world.admin.must('PATCH', `/users/${sparedId}`, { breakGlass: true });

    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/sign-on/${id}`);
    const enforce = page.getByRole('button', { name: 'Enforce', exact: true });
    await expect(page.getByText(/No sign-in with this configuration has succeeded yet/)).toBeVisible();
    await expect(enforce).toHaveCount(0);
    await expect(page.getByText(governed.email)).toBeVisible();
    await signInAtProvider(await open(`/api/v1/sso/login/${tenant.orgId}`));
    await expect(async () => {
      await page.reload();
      await expect(enforce).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expect(page.getByText('1 user has not signed in with it yet.')).toBeVisible();
    await expect(page.getByText(spared.email)).toBeVisible();
    await expectAccessible(page);
    await enforce.click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText(/It affects 2 users; 1 of them has not/)).toBeVisible();
    await dialog.getByLabel('Type Own provider to confirm').fill('Own provider');
    await dialog.getByRole('button', { name: 'Enforce' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: 'Stop enforcing' })).toBeVisible();

    const refused = await open('/login');
    await new SignInPage(refused).givePassword(governed);
    await expect(refused.getByText('Invalid email or password.')).toBeVisible();
    const breakGlass = await spared.signIn(world.baseUrl);
    await breakGlass.must('GET', '/auth/me');
  });

  test('in stages: a date is announced, the person is told, its delay is shown', async ({ world, openAs, open }) => {
    const tenant = await world.makeTenant();
    const id = await world.makeProvider('oidc', tenant, { name: 'Own provider' });
    const person = await world.makePerson('Organization Viewer', tenant);
    await signInAtProvider(await open(`/api/v1/sso/login/${tenant.orgId}`));
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/sign-on/${id}`);
    const choose = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
      await expect(page.getByRole('dialog')).toBeHidden();
    };
    await choose('Observe first');
    await expect(page.getByText('Nothing changes for users.')).toBeVisible();
    await page.getByRole('button', { name: 'Announce a date' }).click();
    await expect(page.getByRole('dialog').getByLabel('Passwords are refused from')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Announce a date' }).click();
    await expect(page.getByText(/Passwords are refused from .*\. Until then/)).toBeVisible();
    await expectAccessible(page);

    const told = await open('/login');
    await new SignInPage(told).signIn(person);
    await expect(told.getByText(/you sign in with Own provider and your password no longer works/)).toBeVisible();
    await expect(told.getByRole('link', { name: 'Sign in with Own provider now' })).toBeVisible();
    await told.getByRole('button', { name: 'Continue' }).click();
    await expect(told).not.toHaveURL(/\/login/);
    await choose('Back to optional');
    await expect(page.getByRole('button', { name: 'Observe first' })).toBeVisible();
  });

  test('a domain proven by its record finds the provider at the sign-in', async ({ world, openAs, open, watch }) => {
    watch.expect(/40[0-9]/);
    const tenant = await world.makeTenant();
    const id = await world.makeProvider('oidc', tenant, { name: 'Own provider' });
    await world.admin.must('PATCH', `/sso/providers/${id}?force=true`, { enforceSSO: true });
    const address = `/sign-on/domains?org=${tenant.orgId}`;
    const page = await openAs(await world.makePerson('Partner Admin', tenant), address);
    const domain = `north-${randomUUID().slice(0, 8)}.example`;
    const add = async (name: string) => {
      await page.getByRole('dialog').getByRole('textbox', { name: 'Domain' }).fill(name);
      await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    };
    await page.getByRole('button', { name: 'Add a domain' }).click();
    await add('no domain');
    await expect(page.getByRole('dialog').getByText(/must be a domain that can be registered/)).toBeVisible();
    await add(domain);
    const row = page.getByRole('listitem', { name: domain });
    await row.getByRole('button', { name: 'Check now' }).click();
    await expect(row.getByRole('alert')).toContainText('The DNS record was not found');
    await expect(row.getByText('not verified: record missing')).toBeVisible();
    await expectAccessible(page);
    const value = await row.getByText(/^gatehouse-domain-verify=/).textContent();
    world.publish(`_gatehouse-verify.${domain}`, value ?? '');
    await row.getByRole('button', { name: 'Check now' }).click();
    await expect(row.getByText('verified', { exact: true })).toBeVisible();

    const signIn = await open('/login');
    await signIn.getByLabel('E-mail address').fill(`somebody@${domain}`);
    await signIn.keyboard.press('Enter');
    await expect(signIn.getByRole('link', { name: 'Continue with Own provider' })).toBeVisible();

    await page.goto(`/sign-on?org=${tenant.orgId}`);
    await signIn.goto((await page.getByText('/login?org=').textContent()) ?? '');
    await expect(signIn.getByRole('link', { name: 'Continue with Own provider' })).toBeVisible();
  });
});
