import { expect, expectAccessible, test } from '../journey.ts';

test.describe('journey 36: two administrators and things with a version', () => {
  test('a signer group, policy entry, defaults and sign-in page lose nothing', async ({ world, openAs, watch }) => {
    watch.expect(/412/);
    const tenant = await world.makeTenant();
    const { orgId } = tenant;
    const person = await world.makePerson('Partner Admin', tenant);
    const other = await person.signIn(world.baseUrl);
    const group = { orgId, name: 'Drivers', signers: ['HP'] };
    const { signerGroup } = await other.must<{ signerGroup: { id: string } }>('POST', '/pam/signer-groups', group);
    const page = await openAs(person, `/rules/signer-groups?org=${orgId}`);
    const form = page.getByRole('dialog').first();
    const conflict = (name: string) => page.getByRole('dialog', { name: `Another person changed “${name}”` });
    const isNamed = (name: string) => expect(conflict(name).getByText(/^Tess Partner Admin saved this /)).toBeVisible();

    await page.getByRole('button', { name: 'Edit' }).click();
    await form.getByRole('textbox', { name: 'Name' }).fill('Printer drivers');
    const path = `/pam/signer-groups/${signerGroup.id}?orgId=${orgId}`;
    await other.must('PATCH', path, { name: 'HP drivers', description: 'All of HP' });
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(conflict('Drivers').locator('[data-member="name"]')).toContainText(/Printer drivers.*HP drivers/);
    await expect(conflict('Drivers').locator('[data-member="description"]')).toContainText(
      /not changed by you.*All of HP/,
    );
    await expectAccessible(page);
    await conflict('Drivers').getByRole('button', { name: 'Keep mine' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('row', { name: /Printer drivers.*All of HP/ })).toBeVisible();

    const policy = { name: 'Tools', mode: 'allowlist', target: { level: 'organization', id: orgId } };
    const entries = { rules: [{ name: 'Editor', signer: 'Contoso' }] };
    const body = { ...policy, ...entries };
    const made = await other.must<{ softwarePolicy: { id: string } }>('POST', '/pam/software-policies', body);
    await page.goto(`/rules/software-policies/${made.softwarePolicy.id}?org=${orgId}`);
    await page
      .getByRole('row', { name: /Editor/ })
      .getByRole('button', { name: 'Edit' })
      .click();
    await form.getByRole('textbox', { name: 'Publisher' }).fill('Contoso Ltd');
    await other.must('PATCH', `/pam/software-policies/${made.softwarePolicy.id}`, {
      rules: [{ name: 'New', signer: 'Fabrikam' }, ...entries.rules],
    });
    await form.getByRole('button', { name: 'Save' }).click();
    await conflict('Tools').getByRole('button', { name: 'Keep mine' }).click();
    await expect(page.getByRole('row', { name: /Editor.*Contoso.*Contoso Ltd/ })).toBeVisible();
    await expect(page.getByRole('row', { name: /New.*Fabrikam/ })).toBeVisible();

    await page.goto(`/settings/defaults?org=${orgId}`);
    const unmatched = page.locator('.gh-card', { has: page.getByRole('heading', { name: 'When no rule matches' }) });
    await unmatched.getByRole('button', { name: 'Edit' }).click();
    await form.getByRole('spinbutton', { name: 'Approval duration (minutes)' }).fill('45');
    const config = { defaultUnmatchedVerdict: 'auto_deny', defaultApprovalMinutes: 15, riskyRules: 'warn' };
    await other.must('PUT', `/pam/config?orgId=${orgId}`, config);
    await form.getByRole('button', { name: 'Save' }).click();
    await isNamed('When no rule matches');
    await conflict('When no rule matches').getByRole('button', { name: 'Keep editing' }).click();
    await expect(form.getByRole('combobox', { name: 'Default verdict' })).toHaveValue('auto_deny');
    await expect(form.getByRole('spinbutton', { name: 'Approval duration (minutes)' })).toHaveValue('45');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);

    await other.must('PUT', '/partners/me/login-branding', { headline: 'Welcome' });
    await page.goto('/settings/branding');
    await page.getByRole('textbox', { name: 'Headline' }).fill('Hello');
    await other.must('PUT', '/partners/me/login-branding', { headline: 'Good day', accentColor: '#0a4a8a' });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(conflict('Sign-in page').locator('[data-member="headline"]')).toContainText(/Hello.*Good day/);
    await isNamed('Sign-in page');
    await conflict('Sign-in page').getByRole('button', { name: 'Take theirs' }).click();
    await expect(page.getByRole('textbox', { name: 'Headline' })).toHaveValue('Good day');
    await expect(page.locator('header')).toHaveCSS('box-shadow', /rgb\(10, 74, 138\)/);
  });

  test('an organisation, a capture policy and an approval level lose nothing', async ({ world, openAs, watch }) => {
    watch.expect(/412/);
    const tenant = await world.makeTenant();
    const { orgId } = tenant;
    const person = await world.makePerson('Partner Admin', tenant);
    const other = await person.signIn(world.baseUrl);
    const page = await openAs(person, `/orgs/${orgId}`);
    const form = page.getByRole('dialog').first();
    const conflict = (name: string) => page.getByRole('dialog', { name: `Another person changed “${name}”` });

    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await form.getByRole('textbox', { name: 'Name' }).fill('Contoso AS');
    await other.must('PATCH', `/orgs/organizations/${orgId}`, { name: 'Contoso Ltd', maxDevices: 40 });
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(conflict('Northwind').locator('[data-member="name"]')).toContainText(/Contoso AS.*Contoso Ltd/);
    await expect(conflict('Northwind').locator('[data-member="maxDevices"]')).toContainText(/not changed by you.*40/);
    await conflict('Northwind').getByRole('button', { name: 'Keep mine' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Contoso AS' })).toBeVisible();

    const features = { pam: { uacInterceptionEnabled: true } };
    const policy = { name: 'Capture', ownerScope: 'organization', orgId, features };
    const { data } = await other.must<{ data: { id: string } }>('POST', '/configuration-policies', policy);
    await page.goto(`/rules/capture/${data.id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await form.getByRole('textbox', { name: 'Name' }).fill('Capture prompts');
    await other.must('PATCH', `/configuration-policies/${data.id}`, { name: 'Capture all' });
    await form.getByRole('button', { name: 'Save' }).click();
    await conflict('Capture').getByRole('button', { name: 'Take theirs' }).click();
    await expect(page.getByRole('heading', { name: 'Capture all' })).toBeVisible();

    const approvals = `/pam/approval-policy?orgId=${orgId}`;
    const level = { name: 'Servers', approvals: 1, pendingMinutes: 30 };
    await other.must('PUT', approvals, { levels: [level] });
    await page.goto(`/settings/defaults?org=${orgId}`);
    await page.getByRole('button', { name: 'Edit Servers' }).click();
    await form.getByRole('checkbox', { name: 'Unsigned files only' }).check();
    const others = [
      { ...level, name: 'First', riskTierMin: 3 },
      { ...level, pendingMinutes: 60 },
    ];
    await other.must('PUT', approvals, { levels: others });
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(conflict('Servers').locator('[data-member="unsigned"]')).toContainText(/Yes.*No/i);
    await expect(conflict('Servers').locator('[data-member="pendingMinutes"]')).toContainText(/not changed by you.*60/);
    await expectAccessible(page);
    await conflict('Servers').getByRole('button', { name: 'Keep mine' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('row', { name: /First.*risk tier 3 and above/ })).toBeVisible();
    await expect(page.getByRole('row', { name: /Servers.*unsigned files.*60/ })).toBeVisible();
  });
});
