import { expect, expectAccessible, test } from '../journey.ts';
import { signInAtProvider } from '../pages/provider-page.ts';

test.describe('journey 15: a merge', () => {
  test('is shown, confirmed by name, refused when its plan is stale, followed by all, and ends at the organisation that stays', async ({
    world,
    openAs,
    watch,
  }) => {
    watch.expect(/404|409/);
    const survivor = await world.makeTenant('Contoso');
    const gone = await world.makeOrganization(survivor.partnerId, 'Contoso Ltd');
    const device = await world.makeDevice(gone, 'lt-0001');
    const addContact = (name: string) =>
      world.admin.must('POST', `/orgs/organizations/${gone.orgId}/contacts`, { name });
    await addContact('Kim');
    const address = `/orgs/${gone.orgId}/merge?survivor=${survivor.orgId}`;
    const page = await openAs(await world.makePerson('Partner Admin', survivor), address);
    const dialog = page.getByRole('dialog');
    await expect(page.getByRole('table', { name: 'What moves and what is dropped' })).toContainText('devices');
    await expect(page.getByText(/^Moves \d+ records\.$/)).toBeVisible();
    await expectAccessible(page);

    await addContact('Ole');
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    await dialog.getByRole('textbox').fill('Contoso');
    await expect(dialog.getByRole('button', { name: 'Merge' })).toBeDisabled();
    await dialog.getByRole('textbox').fill('Contoso Ltd');
    await dialog.getByRole('button', { name: 'Merge' }).click();
    await expect(page.getByText('Something changed since the plan was shown.')).toBeVisible();
    await expect(dialog).toBeHidden();

    const second = await openAs(await world.makePerson('Partner Admin', survivor), '/orgs');
    // Its rows cannot move while another transaction holds them, so the merge stays half-way.
    await world.holding('tenancy', `SELECT FROM contacts WHERE org_id = '${gone.orgId}'`, async () => {
      // A service that is slow to count refuses the plan once more.
      await expect(async () => {
        if (await dialog.isVisible()) await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Merge', exact: true }).click({ timeout: 5_000 });
        await dialog.getByRole('textbox').fill('Contoso Ltd', { timeout: 5_000 });
        await dialog.getByRole('button', { name: 'Merge' }).click({ timeout: 5_000 });
        await page.waitForURL(/run=/, { timeout: 15_000 });
      }).toPass();
      await page.reload();
      await expect(page.getByText(/^The merge is running/)).toBeVisible();
      // A start whose answer was slow was tried again, and both are listed.
      await expect(second.getByText('Merge Contoso Ltd into Contoso').first()).toBeVisible();
      await second.goto(`/orgs/${gone.orgId}`);
      await expect(second.getByText(/being merged into Contoso/)).toBeVisible();
      await second.getByRole('link', { name: 'Show merge' }).click();
    });
    for (const one of [page, second]) await expect(one.getByText('The merge is complete.')).toBeVisible();

    await page.goto(`/orgs/${gone.orgId}`);
    await page.waitForURL(`**/orgs/${survivor.orgId}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Contoso' })).toBeVisible();
    await page.goto(`/devices/${device.id}`);
    await expect(page.getByRole('link', { name: 'Contoso', exact: true })).toBeVisible();
  });

  test('warns of the people who sign in only through a provider that the merge makes inactive, and tells two organisations of one name apart', async ({
    world,
    open,
    openAs,
  }) => {
    const survivor = await world.makeTenant('Contoso');
    const gone = await world.makeOrganization(survivor.partnerId, 'Contoso');
    await world.makeProvider('oidc', gone, { name: 'Entra of Contoso' });
    const person = await open(`/api/v1/sso/login/${gone.orgId}`);
    await signInAtProvider(person);
    await expect(person.getByRole('navigation').first()).toBeVisible();
    const address = `/orgs/${gone.orgId}/merge?survivor=${survivor.orgId}`;
    const page = await openAs(await world.makePerson('Partner Admin', survivor), address);
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      const warnings = page.getByRole('alert').filter({ hasText: 'activates it in the surviving organisation' });
      await expect(warnings).toContainText(/Users who sign in only through .*: 1\. They cannot sign in/);
      await expect(warnings).toContainText('Entra of Contoso');
      await warnings.getByText('Entra of Contoso').first().scrollIntoViewIfNeeded();
      await expect(warnings.getByText('Entra of Contoso').first()).toBeInViewport();
    }
    await expectAccessible(page);
    await expect(page.getByRole('combobox')).toHaveValue(/^Contoso · org-/);
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    await expect(page.getByRole('heading', { name: /^Merge Contoso · org-.* into Contoso · org-/ })).toBeVisible();

    // What the server finds in the way is proved there: here it is told, with permissions in words.
    await page.route('**/merge-preview', async (route) => {
      const response = await route.fetch();
      const blockers = ['Users would get permissions that you do not have: sites:read, sites:write.'];
      await route.fulfill({ response, json: { ...((await response.json()) as object), verdict: 'blocked', blockers } });
    });
    await page.reload();
    const blocked = page.getByRole('alert').filter({ hasText: 'that you do not have: “View sites”, “Add, change' });
    await expect(blocked).toContainText('sites:read, sites:write');
    await expectAccessible(page);
    await expect(page.getByRole('button', { name: 'Merge', exact: true })).toHaveCount(0);
  });
});
