import { expect, expectAccessible, test } from '../journey.ts';

test.describe('journey 36: two administrators and things with a version', () => {
  test('a signer group, an entry of a software policy, the defaults and the sign-in page: nothing is lost', async ({
    world,
    openAs,
    watch,
  }) => {
    watch.expect(/412/);
    const tenant = await world.makeTenant();
    const { orgId } = tenant;
    const person = await world.makePerson('Partner Admin', tenant);
    const other = await person.signIn(world.baseUrl);
    const group = { orgId, name: 'Drivers', signers: ['HP'] };
    const { signerGroup } = await other.must<{ signerGroup: { id: string } }>('POST', '/pam/signer-groups', group);
    const page = await openAs(person, `/rules/signer-groups?org=${orgId}`);
    const form = page.getByRole('dialog').first();
    const conflict = page.getByRole('dialog', { name: 'Another person changed this' });

    await page.getByRole('button', { name: 'Edit' }).click();
    await form.getByRole('textbox', { name: 'Name' }).fill('Printer drivers');
    const path = `/pam/signer-groups/${signerGroup.id}?orgId=${orgId}`;
    await other.must('PATCH', path, { name: 'HP drivers', description: 'All of HP' });
    await form.getByRole('button', { name: 'Edit' }).click();
    await expect(conflict.locator('[data-member="name"]')).toContainText(/Printer drivers.*HP drivers/);
    await expect(conflict.locator('[data-member="description"]')).toContainText(/not changed by you.*All of HP/);
    await expectAccessible(page);
    await conflict.getByRole('button', { name: 'Keep mine' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('row', { name: /Printer drivers.*All of HP/ })).toBeVisible();

    const policy = { name: 'Tools', mode: 'allowlist', target: { level: 'organization', id: orgId } };
    const entries = { rules: [{ name: 'Editor', signer: 'Contoso' }] };
    const made = await other.must<{ softwarePolicy: { id: string } }>('POST', '/pam/software-policies', {
      ...policy,
      ...entries,
    });
    await page.goto(`/rules/software-policies/${made.softwarePolicy.id}?org=${orgId}`);
    await page
      .getByRole('row', { name: /Editor/ })
      .getByRole('button', { name: 'Edit' })
      .click();
    await form.getByRole('textbox', { name: 'Publisher' }).fill('Contoso Ltd');
    await other.must('PATCH', `/pam/software-policies/${made.softwarePolicy.id}`, {
      rules: [{ name: 'New', signer: 'Fabrikam' }, ...entries.rules],
    });
    await form.getByRole('button', { name: 'Edit' }).click();
    await conflict.getByRole('button', { name: 'Keep mine' }).click();
    await expect(page.getByRole('row', { name: /Editor.*Contoso.*Contoso Ltd/ })).toBeVisible();
    await expect(page.getByRole('row', { name: /New.*Fabrikam/ })).toBeVisible();

    await page.goto(`/rules/defaults?org=${orgId}`);
    await page.getByRole('button', { name: 'Change' }).first().click();
    await form.getByRole('spinbutton', { name: 'Minutes that an approval lasts' }).fill('45');
    const config = { defaultUnmatchedVerdict: 'auto_deny', defaultApprovalMinutes: 15, riskyRules: 'warn' };
    await other.must('PUT', `/pam/config?orgId=${orgId}`, config);
    await form.getByRole('button', { name: 'Change' }).click();
    await conflict.getByRole('button', { name: 'Edit further' }).click();
    await expect(form.getByRole('combobox', { name: 'Then' })).toHaveValue('auto_deny');
    await expect(form.getByRole('spinbutton', { name: 'Minutes that an approval lasts' })).toHaveValue('45');
    await form.getByRole('button', { name: 'Change' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);

    await other.must('PUT', '/partners/me/login-branding', { headline: 'Welcome' });
    await page.goto('/settings/branding');
    await page.getByRole('textbox', { name: 'Headline' }).fill('Hello');
    await other.must('PUT', '/partners/me/login-branding', { headline: 'Good day', accentColor: '#0a4a8a' });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(conflict.locator('[data-member="headline"]')).toContainText(/Hello.*Good day/);
    await conflict.getByRole('button', { name: 'Take theirs' }).click();
    await expect(page.getByRole('textbox', { name: 'Headline' })).toHaveValue('Good day');
  });
});
