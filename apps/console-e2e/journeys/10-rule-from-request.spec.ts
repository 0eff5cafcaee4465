import { expect, expectAccessible, test } from '../journey.ts';
import { report } from '../report.ts';
import { until, type World } from '../world.ts';

test.describe('journey 10: a rule from a request', () => {
  test('three clicks, with the effect on screen, and it decides the next report', async ({ world, openAs }) => {
    const { tenant, device } = await world.makeTenantWithDevice();
    const id = await report(device, PROMPT);
    await report(device, { ...PROMPT, user: 'ole' });
    const unsigned = await report(device, { path: String.raw`C:\Windows\regedit.exe` });
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/requests/${id}`);
    const save = page.getByRole('button', { name: 'Create', exact: true });

    await page.getByRole('link', { name: 'Create rule from request' }).click();
    await page.getByRole('radio', { name: 'Exact file' }).click();
    // A rule that asks a person would change nothing about a request that waits.
    await expect(page.getByRole('radio', { name: 'grant', exact: true })).toBeChecked();
    const rule = { name: 'again', verdict: 'auto_approve', ...STRICT };
    const { totalScanned, changed } = await replayed(world, tenant.orgId, rule);
    expect([totalScanned, changed]).toEqual([3, 2]);
    await expect(page.getByText(`${changed} of ${totalScanned} past requests would change.`)).toBeVisible();
    await expect(save).toBeEnabled();
    await page.getByRole('button', { name: /^pending → granted/ }).click();
    await expect(page.getByRole('link', { name: 'vlc.exe' })).toHaveCount(changed);
    await expectAccessible(page);
    await save.click();

    await page.waitForURL(/\/rules\?org=/);
    await expect(page.getByRole('cell', { name: 'vlc.exe (strict)', exact: true })).toBeVisible();
    const statusOf = async (request: string) => {
      const path = `/pam/elevation-requests/${request}`;
      return (await world.admin.must<{ request: { status: string } }>('GET', path)).request.status;
    };
    expect(await statusOf(await report(device, PROMPT))).toBe('auto_approved');
    const made = await world.admin.must<{ rules: { fromRequestId: string }[] }>(
      'GET',
      `/pam/rules?orgId=${tenant.orgId}`,
    );
    expect(made.rules.map(({ fromRequestId }) => fromRequestId)).toEqual([id]);
    await page.goto(`/orgs/${tenant.orgId}/replays`);
    await page.getByRole('link', { name: 'Replay', exact: true }).click();
    await expect(page.getByRole('cell', { name: 'Added rule “new”' })).toBeVisible();
    // An unsigned file has no publisher to match.
    await page.goto(`/orgs/${tenant.orgId}/rules/new?from=${unsigned}`);
    await expect(page.getByRole('radio', { name: 'Exact file, path and user' })).toBeVisible();
  });

  test('a draft that grants by a name alone needs two presses', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/orgs/${tenant.orgId}/rules/new`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Downloads');
    await page.getByRole('combobox', { name: 'Add a criterion' }).selectOption('path');
    await page.getByLabel('Value of path').fill(String.raw`C:\Users\*\Downloads\**`);
    await page.getByRole('radio', { name: 'grant', exact: true }).click();
    await expect(page.getByText('user-writable folder')).toBeVisible();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Read the warnings' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create despite the warning' }).click();
    await page.waitForURL(/\/rules\?org=/);
    await expect(page.getByRole('cell', { name: 'Downloads', exact: true })).toBeVisible();
  });

  test('a rule set is tried out, refused after another change, and applied', async ({ world, openAs, watch }) => {
    watch.expect(/409/);
    const { tenant, device } = await world.makeTenantWithDevice();
    const { orgId } = tenant;
    await report(device, PROMPT);
    await report(device, { path: String.raw`C:\Windows\regedit.exe` });
    const draft = { orgId, name: 'VideoLAN', verdict: 'require_approval', matchSigner: 'VideoLAN' };
    const { rule } = await world.admin.must<{ rule: { id: string } }>('POST', '/pam/rules', draft);
    const address = `/pam/rules/${rule.id}?orgId=${orgId}`;

    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/orgs/${orgId}/replays`);
    await page.getByRole('combobox', { name: 'Verdict of VideoLAN' }).selectOption({ label: 'deny' });
    await expect(page.getByText('1 change', { exact: true })).toBeVisible();
    await expectAccessible(page);
    const replay = async () => {
      await page.getByRole('button', { name: 'Replay' }).click();
      await expect(page.getByText('1 of 2 past requests would change.')).toBeVisible();
    };
    const apply = async () => {
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    };
    await replay();
    await expect(page.getByRole('cell', { name: 'pending → denied' })).toBeVisible();
    await expectAccessible(page);
    // A reload would lose what is tried out.
    const question = page.waitForEvent('dialog');
    await page.evaluate(() => setTimeout(() => location.reload()));
    await (await question).dismiss();
    await world.admin.must('PATCH', address, { description: 'meanwhile' });
    await apply();
    await expect(page.getByRole('alert')).toContainText('replay again');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Back to replays' }).click();
    await replay();
    await apply();
    await page.waitForURL(/\/rules\?org=/);
    const { rule: changed } = await world.admin.must<{ rule: { verdict: string } }>('GET', address);
    expect(changed.verdict).toBe('auto_deny');
  });

  test('a watched rule tells what it would have done, and decides once it is live', async ({ world, openAs }) => {
    const { tenant, device } = await world.makeTenantWithDevice();
    const { orgId } = tenant;
    const draft = { orgId, name: 'Watched', verdict: 'auto_approve', matchHash: PROMPT.hash, mode: 'shadow' };
    const { rule } = await world.admin.must<{ rule: { id: string } }>('POST', '/pam/rules', draft);
    await report(device, PROMPT);
    const admin = await world.makePerson('Partner Admin', tenant);
    const page = await openAs(admin, `/orgs/${orgId}/rules/${rule.id}`);
    await expect(page.getByText('1, of which 1 would change')).toBeVisible();
    // The list is not shown before the rule is live, however long that takes.
    await page.route('**/pam/rules/*', async (route) => {
      if (route.request().method() === 'PATCH') await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      await route.continue();
    });
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
    await page.waitForURL(/\/rules\?org=/);
    const path = `/pam/elevation-requests/${await report(device, PROMPT)}`;
    const { request } = await world.admin.must<{ request: { status: string } }>('GET', path);
    expect(request.status).toBe('auto_approved');
  });
});

const PROMPT = { path: String.raw`C:\Program Files\VideoLAN\vlc.exe`, signer: 'VideoLAN', hash: 'cd'.repeat(32) };
const STRICT = { matchHash: PROMPT.hash, matchPathGlob: PROMPT.path };

interface Replay {
  readonly state: string;
  readonly summary: { readonly totalScanned: number; readonly changed: number } | null;
}

/** What the API makes of the last 30 days under one more rule. */
async function replayed(world: World, orgId: string, rule: object) {
  const body = { orgId, windowDays: 30, changes: [{ op: 'add', ref: 'new', rule }] };
  const { jobId } = await world.admin.must<{ jobId: string }>('POST', '/pam/replays', body);
  return until(async () => {
    const replay = await world.admin.must<Replay>('GET', `/pam/replays/${jobId}?orgId=${orgId}`);
    return replay.state === 'completed' ? replay.summary : null;
  });
}

const SLOW_MS = 500;
