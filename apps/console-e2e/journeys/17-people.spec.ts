import { expect, expectAccessible, test } from '../journey.ts';
import { SignInPage } from '../pages/sign-in-page.ts';
import { Person } from '../person.ts';
import { until } from '../world.ts';

test.describe('journey 17: people', () => {
  test('a colleague of one site sees only it, and is out once suspended', async ({ world, open, openAs, watch }) => {
    watch.expect(/\/api\/v1\/(auth\/refresh|events\/stream|auth\/me).*$/);
    const tenant = await world.makeTenant();
    const site = await world.admin.must<{ id: string }>('POST', '/orgs/sites', { orgId: tenant.orgId, name: 'Oslo' });
    await world.makeDevice(tenant, 'PC-MAIN');
    await world.makeDevice({ ...tenant, siteId: site.id }, 'PC-OSLO');
    const email = `colleague-${site.id.slice(-8)}@journey.example`;

    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/people?org=${tenant.orgId}`);
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill(email);
    await dialog.getByLabel('Name').fill('Kari Colleague');
    await dialog.getByLabel('Scope').selectOption({ label: 'Selected sites' });
    await dialog.getByLabel('Oslo').check();
    await dialog.getByLabel('Role').selectOption({ label: 'Organization Technician' });
    await expect(dialog.getByText('Approve, deny and stop elevations; freeze')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByRole('link', { name: 'Invitations' }).click();
    await page.getByRole('link', { name: 'Kari Colleague' }).click();
    await expect(page.getByText(`In ${tenant.orgName} only Oslo`)).toBeVisible();

    const token = await until(async () => world.invitationFor(email));
    const theirs = await open(`/accept-invite?token=${token}`, { viewport: PHONE });
    await expect(theirs.getByRole('heading', { name: 'Welcome, ⁨Kari Colleague⁩' })).toBeVisible();
    await expect(theirs.getByText(`Tess Partner Admin⁩ invites you to ⁨${tenant.orgName}`)).toBeVisible();
    await expect(theirs.getByLabel('E-mail address')).toHaveValue(email);
    await theirs.getByLabel('New password').fill('short');
    await theirs.getByRole('button', { name: 'Accept invitation' }).click();
    await expect(theirs.getByRole('alert')).toContainText('This password has 5 characters');
    await theirs.getByLabel('New password').fill(PASSWORD);
    await theirs.getByRole('button', { name: 'Accept invitation' }).click();
    await expect(theirs.getByRole('heading', { name: 'Your account is ready' })).toBeVisible();
    await expect(theirs.getByRole('alert')).toBeHidden();
    await theirs.getByRole('link', { name: 'Set up a second factor' }).click();
    await theirs.getByRole('button', { name: 'Set up an authenticator' }).click();
    const setup = theirs.getByRole('dialog');
    const person = new Person(email, PASSWORD, await setup.locator('.gh-data').innerText());
    await setup.getByLabel('Code that the app shows').fill(await person.nextCode());
    await setup.getByRole('button', { name: 'Confirm' }).click();
    // The profile behind the dialog has the factor by then.
    await expect(theirs.getByText('Authenticator app', { exact: true })).toBeAttached();
    await expect(setup.locator('code')).toHaveCount(10);
    await setup.getByRole('button', { name: 'I have saved them' }).click();
    await theirs.getByRole('button', { name: /^Account menu/ }).click();
    await theirs.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await new SignInPage(theirs).signIn(person);
    await theirs.getByRole('navigation').first().waitFor();
    await theirs.goto('/devices');
    await expect(theirs.getByRole('link', { name: 'PC-OSLO' })).toBeVisible();
    await expect(theirs.getByText('PC-MAIN')).toHaveCount(0);

    await page.goto('/people');
    await page.getByRole('link', { name: 'Kari Colleague' }).click();
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await expect(page.getByText('Kari Colleague has been suspended and signed out everywhere.')).toBeVisible();
    await theirs.waitForURL(/\/login/);
  });

  test('of two administrators of one role none loses a change', async ({ world, openAs, watch }) => {
    watch.expect(/412/);
    const tenant = await world.makeTenant();
    const { data: role } = await world.admin.must<{ data: { id: string } }>('POST', '/roles', {
      name: 'Night shift',
      axis: 'organization',
      partnerId: tenant.partnerId,
      orgId: tenant.orgId,
      permissions: ['devices:read'],
    });
    const page = await openAs(await world.makePerson('Organization Admin', tenant), `/people/roles/${role.id}`);
    await page.getByLabel('Approve, deny and stop elevations; freeze').check();
    await world.admin.must('PATCH', `/roles/${role.id}`, { name: 'Late shift' });
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Another person changed “Night shift”' });
    await expect(dialog.getByRole('row', { name: /Late shift/ })).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await expect(page.getByText('Role Late shift saved.')).toBeVisible();
    const { data } = await world.admin.must<{ data: { id: string; permissions: string[] }[] }>('GET', '/roles');
    expect(data.find(({ id }) => id === role.id)?.permissions.toSorted()).toEqual(['devices:execute', 'devices:read']);
  });
});

const PHONE = { width: 360, height: 740 };
const PASSWORD = 'a long passphrase of a colleague';
