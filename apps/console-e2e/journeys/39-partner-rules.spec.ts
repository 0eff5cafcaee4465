import { expect, expectAccessible, test } from '../journey.ts';
import { report } from '../report.ts';

test.describe('journey 39: rules of the partner', () => {
  test('the partner denies for all organisations; one leaves the rule, and comes back', async ({ world, openAs }) => {
    const { tenant, device } = await world.makeTenantWithDevice();
    const { orgId } = tenant;
    const observed = { deviceId: device.id, flowType: 'uac_intercept', targetExecutableSigner: 'Valve' };
    const outcome = async () =>
      (await world.admin.must<Explained>('POST', '/pam/decisions/explain', observed)).explanation.outcome;
    const players = { orgId, name: 'Players', verdict: 'auto_approve', matchSigner: 'Valve' };
    await world.admin.must('POST', '/pam/rules', players);
    expect(await outcome()).toBe('auto_approved');

    const partner = await openAs(await world.makePerson('Partner Admin', tenant), '/rules');
    await partner.getByRole('link', { name: 'Partner rules' }).click();
    await partner.getByRole('link', { name: 'Partner signer groups' }).click();
    await partner.getByRole('button', { name: 'New signer group' }).click();
    const group = partner.getByRole('dialog');
    await group.getByRole('textbox', { name: 'Name' }).fill('Games');
    await group.getByRole('textbox', { name: 'Signers' }).fill('Valve\nEpic Games');
    await group.getByRole('button', { name: 'Create' }).click();
    await expect(partner.getByRole('cell', { name: 'Games', exact: true })).toBeVisible();
    await partner.getByRole('link', { name: 'Partner rules' }).click();
    await partner.getByRole('link', { name: 'New partner rule' }).first().click();
    await partner.getByRole('textbox', { name: 'Name', exact: true }).fill('No games');
    await partner.getByRole('combobox', { name: 'Add a criterion' }).selectOption({ label: 'signer group' });
    await partner.getByRole('combobox', { name: 'Value of signer group' }).selectOption({ label: 'Games' });
    await partner.getByRole('switch', { name: 'Organisations can opt out' }).click();
    await expect(partner.getByRole('radio', { name: 'grant' })).toHaveCount(0);
    await expectAccessible(partner);
    await partner.getByRole('button', { name: 'Create' }).click();
    const before = partner.getByRole('region', { name: 'Before organisation rules' });
    await expect(before.getByRole('row', { name: /No games.*signer group is Games.*deny/ })).toContainText('none');
    await expectAccessible(partner);
    expect(await outcome()).toBe('denied');

    const customer = await openAs(await world.makePerson('Organization Admin', tenant), '/rules');
    const above = customer.getByRole('region', { name: 'Partner rules, before organisation rules' }).first();
    await expect(above.getByRole('row', { name: /No games.*a signer group of the partner.*deny/ })).toBeVisible();
    await expect(customer.getByRole('button', { name: /^Position 1: Players/ })).toBeVisible();
    await above.getByRole('button', { name: 'Opt out of No games' }).click();
    const dialog = customer.getByRole('dialog', { name: 'Opt out of the rule No games' });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill(REASON);
    await expectAccessible(customer);
    await dialog.getByRole('button', { name: 'Opt out' }).click();
    await expect(above.getByRole('row', { name: /No games/ })).toContainText('opted out');
    await expectAccessible(customer);
    expect(await outcome()).toBe('auto_approved');

    // The list of the partner follows the event stream.
    await before.getByRole('link', { name: '1 organisation' }).click();
    await expect(partner.getByRole('link', { name: tenant.orgName })).toBeVisible();
    await expect(partner.getByText(REASON)).toBeVisible();
    await expectAccessible(partner);

    await above.getByRole('link', { name: 'No games' }).click();
    await expect(customer.getByText(REASON)).toBeVisible();
    await expect(customer.getByRole('button', { name: 'Save' })).toHaveCount(0);
    await expectAccessible(customer);
    await customer.goBack();
    await above.getByRole('button', { name: 'Opt back in' }).click();
    await customer.getByRole('dialog').getByRole('button', { name: 'Opt back in' }).click();
    await expect(above.getByRole('button', { name: 'Opt out of No games' })).toBeVisible();
    await expect(partner.getByText('No organisation has opted out.')).toBeVisible();
    expect(await outcome()).toBe('denied');
  });

  test('a rule that may no longer be left says so; a technician of the partner reads and changes nothing', async ({
    world,
    openAs,
    watch,
  }) => {
    watch.expect(/409/);
    const tenant = await world.makeTenant();
    const draft = {
      ownerScope: 'partner',
      partnerId: tenant.partnerId,
      name: 'Ask about tools',
      verdict: 'require_approval',
      matchToolName: 'run_script',
      precedence: 'before',
      optOut: 'allowed',
    };
    const { rule } = await world.admin.must<{ rule: { id: string } }>('POST', '/pam/rules', draft);
    const customer = await openAs(await world.makePerson('Organization Admin', tenant), '/rules');
    await customer.getByRole('button', { name: 'Opt out of Ask about tools' }).click();
    const dialog = customer.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('too many questions');
    const withdraw = () => world.admin.must('PATCH', `/pam/rules/${rule.id}`, { optOut: 'none' });
    await customer.route(/opt-out/, async (route) => {
      await withdraw();
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Opt out' }).click();
    await expect(dialog.getByRole('alert')).toContainText('does not allow organisations to opt out');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(customer.getByText('no opt-out')).toBeVisible();

    const technician = await openAs(await world.makePerson('Partner Technician', tenant), '/rules/partner');
    await technician.getByRole('link', { name: 'Ask about tools' }).click();
    await expect(technician.getByRole('textbox', { name: 'Name', exact: true })).toBeDisabled();
    await expect(technician.getByRole('button', { name: 'Save' })).toHaveCount(0);
  });

  test('an explanation names the rule of the partner, and that it was left', async ({ world, openAs }) => {
    const { tenant, device } = await world.makeTenantWithDevice();
    const prompt = { path: String.raw`C:\Program Files\Steam\steam.exe`, signer: 'Valve' };
    const place = { ownerScope: 'partner', partnerId: tenant.partnerId, optOut: 'allowed', precedence: 'before' };
    const draft = { ...place, name: 'No games', verdict: 'auto_deny', matchSigner: 'Valve' };
    const { rule } = await world.admin.must<{ rule: { id: string } }>('POST', '/pam/rules', draft);
    const denied = await report(device, prompt);
    await world.admin.must('PUT', `/pam/rules/${rule.id}/opt-out`, { orgId: tenant.orgId, reason: REASON });
    const waiting = await report(device, prompt);

    const page = await openAs(await world.makePerson('Organization Admin', tenant), `/requests/${denied}`);
    const why = page.getByRole('listitem').filter({ hasText: /^A partner rule, before organisation rules, matched:/ });
    await why.getByRole('link', { name: 'No games' }).click();
    await page.waitForURL(`**/rules/partner/${rule.id}`);
    await expect(page.getByText(REASON)).toBeVisible();
    await page.goto(`/requests/${denied}`);
    await page.locator('dd').getByRole('link', { name: 'No games' }).click();
    await page.waitForURL(`**/rules/partner/${rule.id}`);

    await page.goto(`/requests/${waiting}`);
    const left = page.getByRole('listitem').filter({ hasText: /^Partner rule, No games: the organisation has/ });
    await expect(left).toBeVisible();
    await expectAccessible(page);
  });
});

const REASON = 'Our training room plays them on purpose.';

interface Explained {
  readonly explanation: { readonly outcome: string };
}
