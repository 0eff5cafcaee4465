import { expect, expectAccessible, test } from '../journey.ts';
import { report } from '../report.ts';

const PROMPT = { path: String.raw`C:\Program Files\VideoLAN\vlc.exe`, signer: 'VideoLAN', hash: 'cd'.repeat(32) };

test('journey 10: from a waiting request to a saved rule, with its effect on screen, which decides the next report', async ({
  world,
  openAs,
}) => {
  const tenant = await world.makeTenant();
  const device = await world.makeDevice(tenant);
  const id = await report(device, PROMPT);
  const page = await openAs(await world.makePerson('Partner Admin', tenant), `/requests/${id}`);
  await page.getByRole('link', { name: 'Make a rule from this' }).click();
  await page.getByRole('combobox', { name: 'Then' }).click();
  await page.getByRole('option', { name: 'grant', exact: true }).click();
  await expect(page.getByText('Of 1 requests 1 would be decided otherwise.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(/\/rules\?org=/);
  await expect(page.getByRole('cell', { name: 'vlc.exe', exact: true })).toBeVisible();
  await expect
    .poll(async () => {
      const next = await report(device, PROMPT);
      const request = await world.admin.must<{ request: { status: string } }>('GET', `/pam/elevation-requests/${next}`);
      return request.request.status;
    })
    .toBe('auto_approved');
  await page.goto('/audit?action=pam.rule.create');
  await expect(page.getByText('vlc.exe').first()).toBeVisible();
  await page.getByRole('button', { name: 'Verify the log' }).click();
  await expect(page.getByText(/Chain verified/)).toBeVisible();
});
