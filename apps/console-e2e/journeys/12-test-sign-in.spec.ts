import type { Page } from '@playwright/test';
import { newSamlKey } from '@gatehouse/dev-idp';
import { expect, expectAccessible, test } from '../journey.ts';
import { signInAtProvider } from '../pages/provider-page.ts';

test.describe('journey 12: test sign-ins', () => {
  test('OpenID Connect: a wrong secret, a missing claim and an unread second factor are each named, then it passes', async ({
    world,
    openAs,
  }) => {
    const tenant = await world.makeTenant();
    await world.proveDomain(tenant, 'acme.example');
    const id = await world.makeProvider('oidc', tenant, { clientSecret: 'wrong' });
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/sign-on/${id}`);
    const { window: ended } = await runTest(page);
    for (const shown of [page, ended]) {
      await expect(shown.getByText('The person would be refused.')).toBeVisible();
      await expect(row(shown, 'Tokens')).toContainText('The provider rejects the client ID or secret.');
      await expect(row(shown, 'Tokens')).toContainText('Copy the client ID and a new client secret');
    }
    await expectAccessible(ended);

    const { clientSecret } = world.neighbours.oidc;
    const change = (body: object) => world.admin.must('PATCH', `/sso/providers/${id}`, body);
    await change({ clientSecret, attributeMapping: { email: 'mail', name: 'name' } });
    await runTest(page);
    await expect(row(page, 'Mapping')).toContainText('The e-mail claim is missing or empty.');
    await expect(row(page, 'Claims')).toContainText('"email"');

    const elsewhere = { trustsIdpMfa: true, mfaEvidence: ['acr'], mfaEvidenceValues: { acr: ['two-factors'] } };
    await change({ attributeMapping: { email: 'email', name: 'name' }, ...elsewhere });
    const { window: passed, email } = await runTest(page);
    await expect(passed.getByText('An account would be created.')).toBeVisible();
    await expect(row(page, 'Second factor')).toContainText(/second factor is trusted, but none was confirmed.*"mfa"/s);
    await expect(row(page, 'Role')).toContainText('Organization Technician');
    await expect(row(page, 'Claims')).toContainText('a•••@acme.example');
    await expect(page.getByText('The configuration works')).toBeVisible();
    await expectAccessible(page);
    const people = await world.admin.must<{ data: { email: string }[] }>('GET', `/users?orgId=${tenant.orgId}`);
    expect(people.data.map((person) => person.email)).not.toContain(email);
  });

  test('OpenID Connect: a wrong redirect address is named, with what to do', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const id = await world.makeProvider('oidc', tenant, world.neighbours.misdirected);
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/sign-on/${id}`);
    const opened = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Open test sign-in' }).click();
    const ended = await opened;
    await ended.waitForURL(/\/sso-test\?attempt=/);
    for (const shown of [page, ended]) {
      await expect(row(shown, 'Tokens')).toContainText('often because the redirect URI differs');
      await expect(row(shown, 'Tokens')).toContainText('Register our redirect URI at the provider exactly');
    }
    await expectAccessible(ended);
  });

  test('SAML: a foreign certificate and an unread second factor are named before it is active, and it passes', async ({
    world,
    openAs,
  }) => {
    const tenant = await world.makeTenant();
    await world.proveDomain(tenant, 'acme.example');
    const { certificatePem } = await newSamlKey();
    const id = await world.makeProvider('saml', tenant, { certificate: certificatePem });
    await world.admin.must('POST', `/sso/providers/${id}/status`, { status: 'inactive' });
    const page = await openAs(
      await world.makePerson('Partner Admin', tenant),
      `/sign-on/new?step=test&provider=${id}&org=${tenant.orgId}`,
    );
    const { window: ended } = await runTest(page);
    for (const shown of [page, ended])
      await expect(row(shown, 'Signature')).toContainText("The signature is not the provider's.");
    const { certificate } = world.neighbours.saml;
    const secondFactor = { trustsIdpMfa: true, mfaEvidence: ['authncontext'] };
    await world.admin.must('PATCH', `/sso/providers/${id}`, { certificate, ...secondFactor });
    await page.setViewportSize({ width: 360, height: 800 });
    const { window: passed } = await runTest(page);
    for (const shown of [page, passed]) {
      await expect(shown.getByText('An account would be created.')).toBeVisible();
      await expect(row(shown, 'Second factor')).toContainText('second factor is trusted, but none was confirmed');
    }
    await expectAccessible(page);
  });
});

const row = (page: Page, step: string) => page.getByRole('row').filter({ has: page.getByText(step, { exact: true }) });

/** Runs a test in the window that it opens, as a person whom the product does not know. */
async function runTest(page: Page): Promise<{ readonly window: Page; readonly email: string }> {
  // The provider would remember who signed in for the test before.
  await page.context().clearCookies({ name: /^_(session|interaction)/ });
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Open test sign-in' }).click();
  const provider = await opened;
  const email = await signInAtProvider(provider);
  await provider.waitForURL(/\/sso-test\?attempt=/);
  return { window: provider, email };
}
