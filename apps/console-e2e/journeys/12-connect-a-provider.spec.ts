import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../journey.ts';
import { signInAtProvider } from '../pages/provider-page.ts';

test.describe('journey 12: connect an identity provider', () => {
  test('OpenID Connect: a wrong address is named, with the way back to its field', async ({ world, openAs, watch }) => {
    watch.expect(/400/);
    const { oidc } = world.neighbours;
    const tenant = await world.makeTenant();
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/sign-on/new?org=${tenant.orgId}`);
    await page.getByRole('button', { name: 'Another provider OpenID Connect' }).click();
    await field(page, /^Name/).fill('Own provider');
    await field(page, /^Issuer/).fill(`${oidc.issuer}/elsewhere`);
    await field(page, /^Client ID/).fill(oidc.clientId);
    await field(page, /^Client secret/).fill(oidc.clientSecret);
    await expect(page.getByText('/api/v1/sso/callback').first()).toBeVisible();
    await button(page, 'Create and test').click();
    const fault = page.getByText('the issuer answered 404');
    await expect(fault).toBeVisible();
    await button(page, 'Test the connection').click();
    const failed = page.getByRole('alert').filter({ hasText: 'The test failed' });
    await expect(failed).toContainText('the issuer answered 404');
    await expect(fault).toHaveCount(1);
    // No step is ticked, the next one is locked, and its address does not lead past that.
    const ticks = page.locator('.mantine-Stepper-stepCompletedIcon svg');
    await expect(ticks).toHaveCount(0);
    await expect(button(page, 'Next')).toBeDisabled();
    await expect(page.getByText('Next is available after a successful test.')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Edit the settings' }).click();
    await expect(field(page, /^Issuer/)).toBeFocused();
    await page.goBack();
    await button(page, 'Back').click();
    // The same form, with all that was typed; a look at the choice of providers loses none of it.
    await button(page, 'Back').click();
    await page.getByRole('button', { name: 'Another provider OpenID Connect' }).click();
    await expect(field(page, /^Name/)).toHaveValue('Own provider');
    await expect(field(page, /^Issuer/)).toHaveValue(`${oidc.issuer}/elsewhere`);
    await expect(field(page, /^Client secret/)).toHaveValue(oidc.clientSecret);
    await field(page, /^Issuer/).fill(oidc.issuer);
    await button(page, 'Save and test').click();
    await expect(button(page, 'Next')).toBeDisabled();
    await button(page, 'Test the connection').click();
    await expect(page.getByText('Connection succeeded')).toBeVisible();
    await expect(ticks).toHaveCount(2);
    const { data } = await world.admin.must<{ data: object[] }>('GET', `/sso/providers?orgId=${tenant.orgId}`);
    expect(data).toHaveLength(1);
    await expectAccessible(page);
    const address = new URL(page.url());
    address.searchParams.set('step', 'people');
    await page.goto(`${address.pathname}${address.search}`);
    await expect(button(page, 'Next')).toBeDisabled();
    await button(page, 'Test the connection').click();
    await activate(page);
  });

  test('OpenID Connect: a wrong secret shows as the last failure; with the right one a sign-in succeeds', async ({
    world,
    openAs,
    open,
  }) => {
    const tenant = await world.makeTenant();
    await world.makeProvider('oidc', tenant, { clientSecret: 'wrong' });
    const address = `/api/v1/sso/login/${tenant.orgId}`;
    const refused = await open(address);
    await signInAtProvider(refused);
    await refused.waitForURL(/\/login\?error=sso_error/);
    const reference = new URL(refused.url()).searchParams.get('attempt') ?? 'none';
    await expect(refused.getByRole('alert')).toContainText(reference);
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/sign-on/attempts`);
    await page.getByRole('searchbox').or(page.getByPlaceholder('Search')).first().fill(reference);
    await expect(page.getByRole('main')).toContainText(/^Sign-in attempt(?!s).*rejects the client ID or secret/s);
    await expect(page.locator('header')).toContainText(tenant.orgName);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Provider of oidc' }).click();
    await expect(page.getByText(/The provider's response was rejected/)).toBeVisible();
    await page.getByRole('link', { name: 'Edit' }).click();
    await field(page, /^Client secret/).fill(world.neighbours.oidc.clientSecret);
    await button(page, 'Save').click();
    await expect(page.getByText(/No sign-in with this configuration has succeeded yet/)).toBeVisible();
    const accepted = await open(address);
    await signInAtProvider(accepted);
    await expect(accepted.getByRole('navigation').first()).toBeVisible();
    await page.reload();
    await expect(page.getByText('A sign-in with this configuration has succeeded.')).toBeVisible();
  });

  test('SAML: a wrong metadata address is named, the right one fills the fields', async ({ world, openAs, watch }) => {
    watch.expect(/400/);
    const { saml } = world.neighbours;
    const tenant = await world.makeTenant();
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/sign-on/new?org=${tenant.orgId}`);
    await page.getByRole('button', { name: 'Another provider SAML 2.0' }).click();
    const metadata = field(page, 'Metadata URL or text');
    await metadata.fill(`${saml.metadataUrl}/missing`);
    await button(page, 'Load').click();
    await expect(page.getByText('The address of the metadata cannot be reached or is not allowed.')).toBeVisible();
    await metadata.fill(saml.metadataUrl);
    await button(page, 'Load').click();
    await expect(field(page, /^Provider's entity ID/)).toHaveValue(saml.entityId);
    await expect(field(page, /^Provider's sign-in address/)).toHaveValue(saml.ssoUrl);
    await expect(field(page, /^Signing certificate/)).toHaveValue(/BEGIN CERTIFICATE/);
    await expect(page.getByText(/\d+ days left/)).toBeVisible();
    await expectAccessible(page);
    await field(page, /^Name/).fill('Own ADFS');
    await button(page, 'Create and test').click();
    await button(page, 'Test the connection').click();
    await expect(page.getByText('The settings are complete and the certificates are usable.')).toBeVisible();
    await button(page, 'Create a key').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click();
    await expect(page.getByText('Give the provider this certificate or metadata.')).toBeVisible();
    await expectAccessible(page);
    const { data } = await world.admin.must<{ data: object[] }>('GET', `/sso/providers?orgId=${tenant.orgId}`);
    expect(data).toMatchObject([{ metadataUrl: saml.metadataUrl }]);
    await activate(page);
  });

  for (const [screen, width] of [
    ['desk', 1280],
    ['phone', 360],
  ] as const)
    test(`SAML: doubtful metadata are read with a warning for each doubt, on a ${screen}`, async ({
      world,
      openAs,
      watch,
    }) => {
      watch.expect(/400/);
      const { saml } = world.neighbours;
      const published = await (await fetch(saml.metadataUrl)).text();
      const doubtful = published
        .replace(/WantAuthnRequestsSigned="[^"]*"/, '')
        .replace(' entityID=', ' validUntil="2020-01-01T00:00:00Z" entityID=')
        .replace('<md:IDPSSODescriptor', '<md:IDPSSODescriptor WantAuthnRequestsSigned="true"')
        .replace(
          /<md:KeyDescriptor.*?<\/md:KeyDescriptor>/s,
          (key) => key.replace(/(X509Certificate>)[^<]+/, '$1x') + key,
        );
      const tenant = await world.makeTenant();
      const page = await openAs(await world.makePerson('Partner Admin', tenant), `/sign-on/new?org=${tenant.orgId}`);
      await page.setViewportSize({ width, height: 900 });
      await page.getByRole('button', { name: 'Another provider SAML 2.0' }).click();
      const metadata = field(page, 'Metadata URL or text');
      await metadata.fill(published.replaceAll('bindings:HTTP-Redirect', 'bindings:SOAP'));
      await button(page, 'Load').click();
      await expect(page.getByText(/SingleSignOnService: there is none for the binding HTTP-Redirect/)).toBeVisible();
      await metadata.fill(doubtful);
      await button(page, 'Load').click();
      for (const doubt of [/validUntil/, /WantAuthnRequestsSigned/, /1 of the signing certificates .* cannot be read/])
        await expect(page.getByRole('alert').filter({ hasText: doubt })).toBeVisible();
      await expect(field(page, /^Provider's entity ID/)).toHaveValue(saml.entityId);
      await expectAccessible(page);
      await field(page, /^Provider's entity ID/).fill(` ${saml.entityId} `);
      await field(page, /^Name/).fill('Own ADFS');
      await button(page, 'Create and test').click();
      await button(page, 'Test the connection').click();
      await expect(page.getByText('The settings are complete and the certificates are usable.')).toBeVisible();
    });
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string | RegExp) => page.getByLabel(name);

async function activate(page: Page): Promise<void> {
  await button(page, 'Next').click();
  await button(page, 'Activate').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
  await expect(page.getByText('Active: users can sign in with this provider.', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Finish' }).click();
  await page.waitForURL(/\/sign-on\/[\da-f-]{36}$/);
}
