import { readFile } from 'node:fs/promises';
import { expect, expectAccessible, test } from '../journey.ts';
import type { Tenant, World } from '../world.ts';

test.describe('journey 16: archive and import', () => {
  test('contacts import as previewed; one changed since is refused, and leaves as CSV', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    await addContact(world, tenant, 0);
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/orgs/${tenant.orgId}/contacts/import`);
    await page.getByRole('textbox', { name: 'Rows, starting with the column names' }).fill(sheet());
    await page.getByRole('button', { name: 'Next' }).click();
    await expect(page.getByLabel('E-mail', { exact: true })).toHaveValue('1');
    await page.getByRole('button', { name: 'Preview' }).click();
    await expect(page.getByText('matched by e-mail: 1')).toBeVisible();
    await expect(page.getByText('new: 998')).toBeVisible();
    await expect(page.getByRole('row').nth(1)).toContainText('repeats an earlier row');
    await expectAccessible(page);

    await addContact(world, tenant, 2);
    await page.getByRole('button', { name: 'Import 998 of 1,000 rows' }).click();
    await expect(page.getByText('997 contacts added, 0 updated, 1 unchanged.')).toBeVisible();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download these rows as CSV' }).click();
    const csv = await readFile(await (await saving).path(), 'utf8');
    expect(csv.split('\r\n').map((line) => line.split(','))).toEqual([
      ['\uFEFFRow', ...HEADER, 'Reason'],
      ['4', 'Kim 2', 'kim-2@example.com', 'billing', 'the outcome has changed since the preview'],
      ['1001', 'Kim 1', 'kim-1@example.com', '', 'repeats an earlier row'],
    ]);
    await page.getByRole('link', { name: 'Go to contacts' }).click();
    await expect(page.getByText('999').first()).toBeVisible();
  });

  for (const [screen, width] of [
    ['desk', 1280],
    ['phone', 360],
  ] as const)
    test(`a CSV of Windows-1252 shows its encoding, which can be changed, and imports its letters, on a ${screen}`, async ({
      world,
      openAs,
    }) => {
      const tenant = await world.makeTenant();
      const page = await openAs(
        await world.makePerson('Partner Admin', tenant),
        `/orgs/${tenant.orgId}/contacts/import`,
      );
      await page.setViewportSize({ width, height: 800 });
      // As Excel writes it in Western Europe; 0x80 is the euro sign in Windows-1252 alone.
      const text =
        'sep=;\r\nFirst name;Last name;Mail;Notes\r\nBj\xf6rn;M\xfcller;bjorn@example.com;pays 5 \x80\r\nKim;Berg;none;\r\n';
      const buffer = Buffer.from(text, 'latin1');
      await page.locator('input[type=file]').setInputFiles({ name: 'contacts.csv', mimeType: 'text/csv', buffer });
      const encoding = page.getByLabel('File encoding');
      await expect(encoding).toHaveValue('windows-1252');
      await expect(page.getByText('Björn · Müller · bjorn@example.com · pays 5 €')).toBeVisible();
      await encoding.selectOption('utf-8');
      await expect(page.getByText('3 characters cannot be read in this encoding and would be lost.')).toBeVisible();
      await encoding.selectOption('windows-1252');
      await expect(page.getByText(/would be lost/)).toBeHidden();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Preview' }).click();
      await expect(page.getByText('Björn Müller')).toBeVisible();
      await expect(page.getByText('Invalid value: E-mail')).toBeVisible();
      await page.getByRole('button', { name: 'Import 1 of 2 rows' }).click();
      await expect(page.getByText('1 contact added, 0 updated, 0 unchanged.')).toBeVisible();
      await expect(page.getByText('email must be an e-mail address')).toBeVisible();
      await page.getByRole('link', { name: 'Go to contacts' }).click();
      await expect(page.getByText('Björn Müller').first()).toBeVisible();
    });

  test('an archived organisation says so, offers no writes, and comes back', async ({ world, openAs }) => {
    const tenant = await world.makeTenant('Fabrikam');
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/orgs/${tenant.orgId}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await expect(page.getByRole('dialog')).toContainText('its agents must be enrolled again');
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await expect(page.getByText('This organisation is archived and read-only.')).toBeVisible();
    for (const name of ['New site', 'New key', 'Edit', 'Merge', 'Delete'])
      await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Contacts' }).click();
    await expect(page.getByText('No contacts yet')).toBeVisible();
    await expect(page.getByRole('button', { name: 'New contact' })).toHaveCount(0);
    await page.goto('/orgs');
    await expect(page.getByText('No organisations yet')).toBeVisible();
    await page.goto('/orgs?status=archived');
    await page.getByRole('link', { name: 'Fabrikam' }).click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await expect(page.getByRole('button', { name: 'New site' })).toBeVisible();
    await page.getByRole('link', { name: 'Contacts' }).click();
    await expect(page.getByText('No contacts yet')).toBeVisible();
    await expect(page.getByRole('button', { name: 'New contact' })).toHaveCount(1);
  });
});

const ROWS = 1000;
const HEADER = ['Full name', 'Mail', 'Roles'];

/** A sheet as one pastes it: a thousand contacts, of whom the first is known and the last repeats the second. */
const sheet = (): string => {
  const rows = Array.from({ length: ROWS }, (_, row) => [`Kim ${row}`, `kim-${row}@example.com`, 'billing']);
  rows[ROWS - 1] = ['Kim 1', 'kim-1@example.com', ''];
  return [HEADER, ...rows].map((cells) => cells.join('\t')).join('\n');
};

const addContact = (world: World, { orgId }: Tenant, number: number) =>
  world.admin.must('POST', `/orgs/organizations/${orgId}/contacts`, {
    name: `Kim ${number}`,
    email: `kim-${number}@example.com`,
  });
