import { expect, expectAccessible, test } from '../journey.ts';

test.describe('journey 35: imports of the library', () => {
  test('fields, their values, then scripts as files; what cannot be imported says why', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const device = await world.makeDevice(tenant, 'lt-0042');
    const person = await world.makePerson('Partner Admin', tenant);
    const page = await openAs(person, `/library/custom-fields?org=${tenant.orgId}`);
    const paste = async (...rows: string[]) => {
      await page.getByRole('textbox', { name: PASTE }).fill(rows.join('\n'));
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByRole('button', { name: 'Preview' }).click();
    };
    await page.getByRole('link', { name: 'Import fields' }).click();
    await paste('Field;Key;Type;Options', 'Owner;owner;text;', 'Size;size;list;small|large', 'Shade;shade;colour;');
    await expect(page.getByText('new: 2')).toBeVisible();
    await expect(page.getByText('has an unknown type')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Import 2 of 3 rows' }).click();
    await expect(page.getByText('2 fields added, 0 updated, 0 unchanged.')).toBeVisible();
    await page.getByRole('link', { name: 'Go to custom fields' }).click();

    await page.getByRole('link', { name: 'Import values' }).click();
    await paste('Hostname;Owner;Size', 'lt-0042;Kim;large', 'lt-9999;Ole;small', 'lt-0042;Kim;huge');
    await expect(page.getByText('a value cannot be set: 1')).toBeVisible();
    await expect(page.getByText('no device found: 1')).toBeVisible();
    await page.getByRole('button', { name: 'Import 1 of 3 rows' }).click();
    await expect(page.getByText('1 device updated, 0 unchanged.')).toBeVisible();
    await expect(page.getByText('2 rows were not imported').first()).toBeVisible();
    const { data } = await world.admin.must<{ data: object[] }>('GET', `/devices/${device.id}/custom-fields`);
    expect(data).toMatchObject([{ value: 'Kim' }, { value: 'large' }]);

    await page.goto(`/library/scripts/import?org=${tenant.orgId}`);
    await page.locator('input[type="file"][multiple]').setInputFiles([
      { name: 'Clean up.ps1', mimeType: 'text/plain', buffer: Buffer.from('Get-Item .\nRemove-Item x') },
      { name: 'empty.sh', mimeType: 'text/plain', buffer: Buffer.from('') },
      { name: 'old.cbl', mimeType: 'text/plain', buffer: Buffer.from('STOP RUN.') },
    ]);
    await expect(page.getByText('has no script')).toBeVisible();
    await expect(page.getByText('the language “cbl” is not known')).toBeVisible();
    await page.getByRole('button', { name: 'Import 1 of 3 rows' }).click();
    await expect(page.getByText('1 script added, 0 unchanged.')).toBeVisible();
    await page.getByRole('link', { name: 'Go to scripts' }).click();
    await expect(page.getByRole('row', { name: /Clean up.* PowerShell / })).toBeVisible();
  });
});

const PASTE = 'Rows, starting with the column names';
