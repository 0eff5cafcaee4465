import { readFile } from 'node:fs/promises';
import { expect, expectAccessible, test } from '../journey.ts';
import type { Tenant, World } from '../world.ts';

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

test.describe('journey 16: archive and import', () => {
  test('contacts are imported as the preview showed; what changed meanwhile is refused, and leaves as CSV', async ({
    world,
    openAs,
  }) => {
    const tenant = await world.makeTenant();
    await addContact(world, tenant, 0);
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/orgs/${tenant.orgId}/contacts/import`);
    await page.getByRole('textbox', { name: 'Rows, with the names of the columns first' }).fill(sheet());
    await page.getByRole('button', { name: 'Next' }).click();
    await expect(page.getByLabel('E-mail', { exact: true })).toHaveValue('1');
    await page.getByRole('button', { name: 'Preview' }).click();
    await expect(page.getByText('known by its e-mail address: 1')).toBeVisible();
    await expect(page.getByText('new: 998')).toBeVisible();
    await expect(page.getByRole('row').nth(1)).toContainText('repeats an earlier row');
    await expectAccessible(page);

    await addContact(world, tenant, 2);
    await page.getByRole('button', { name: 'Import 1,000 rows' }).click();
    await expect(page.getByText('997 contacts new, 0 changed, 1 left as they were.')).toBeVisible();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download these rows as CSV' }).click();
    const csv = await readFile(await (await saving).path(), 'utf8');
    expect(csv.split('\r\n').map((line) => line.split(','))).toEqual([
      ['\uFEFFRow', ...HEADER, 'Reason'],
      ['4', 'Kim 2', 'kim-2@example.com', 'billing', 'would not have the outcome that was shown any more'],
      ['1001', 'Kim 1', 'kim-1@example.com', '', 'repeats an earlier row'],
    ]);
    await page.getByRole('link', { name: 'To the contacts' }).click();
    await expect(page.getByText('998', { exact: false }).first()).toBeVisible();
  });
});
