import { newSamlKey } from '@gatehouse/dev-idp';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../journey.ts';
import type { Tenant, World } from '../world.ts';

test.describe('journey 12: the settings of a provider', () => {
  test('two administrators change them: both values stand side by side', async ({ world, openAs, watch }) => {
    watch.expect(/412/);
    const tenant = await world.makeTenant();
    const id = await makeProvider(world, tenant);
    const open = async () => openAs(await world.makePerson('Partner Admin', tenant), `/sign-on/${id}/edit`);
    const [first, second] = [await open(), await open()];
    await expect(second.getByRole('button', { name: `▸ ${tenant.orgName}` })).toBeVisible();
    await second.getByRole('textbox', { name: 'Groups' }).fill('memberOf');
    await second.getByRole('textbox', { name: 'Name', exact: true }).fill('ADFS of the second');
    await expect(second.getByText('Saving this ends sign-ins in progress.')).toBeVisible();
    await expectAccessible(second);
    await first.getByRole('textbox', { name: 'Name', exact: true }).fill('ADFS of the first');
    await first.getByRole('textbox', { name: 'Allowed domains' }).fill('northwind.example');
    await save(first);
    await first.waitForURL(new RegExp(`/sign-on/${id}$`));

    await save(second);
    const dialog = second.getByRole('dialog', { name: 'Another person changed “ADFS”' });
    await expect(dialog.locator('[data-member="name"]')).toContainText(/ADFS of the second.*ADFS of the first/);
    await expect(dialog.locator('[data-member="allowedDomains"]')).toContainText(/not changed by you.*northwind/);
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await second.waitForURL(new RegExp(`/sign-on/${id}$`));
    const mapping = { email: 'email', name: 'name', groups: 'memberOf' };
    expect(await read(world, id)).toMatchObject({
      name: 'ADFS of the second',
      allowedDomains: 'northwind.example',
      attributeMapping: mapping,
    });
  });

  test('a key for encrypted assertions is made, and its certificate is there to copy', async ({ world, openAs }) => {
    const tenant = await world.makeTenant();
    const id = await makeProvider(world, tenant);
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/sign-on/${id}`);
    await page.setViewportSize({ width: 360, height: 800 });
    for (const label of ['Create a key', 'Replace the key']) {
      await page.getByRole('button', { name: label }).click();
      await page.getByRole('dialog', { name: label }).getByRole('button', { name: label }).click();
      await expect(page.getByRole('dialog')).toBeHidden();
    }
    await expect(page.getByText('Give the provider this certificate or metadata.')).toBeVisible();
    const path = `/api/v1/sso/saml/metadata?provider=${id}`;
    expect(await (await fetch(`${world.baseUrl}${path}`)).text()).toContain('<KeyDescriptor use="encryption">');
    await expectAccessible(page);
  });

  test('a new certificate comes before the old one goes', async ({ world, openAs, watch }) => {
    watch.expect(/400/);
    const tenant = await world.makeTenant();
    const id = await makeProvider(world, tenant);
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/sign-on/${id}`);
    await expect(page.getByText(/\d+ days left/)).toHaveCount(1);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('no certificate');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await expect(dialog.getByText(/cannot be read/)).toBeVisible();
    await dialog.getByRole('textbox').fill((await newSamlKey()).certificatePem);
    await dialog.getByRole('button', { name: 'Add' }).click();
    await expect(page.getByText(/\d+ days left/)).toHaveCount(2);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove', exact: true }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(page.getByText(/\d+ days left/)).toHaveCount(1);
    expect((await read(world, id)).certificates).toHaveLength(1);
  });

  test('metadata that differ from the settings wait for approval, with the changes', async ({ world, openAs }) => {
    const { metadataUrl, ssoUrl } = world.neighbours.saml;
    const tenant = await world.makeTenant();
    const id = await world.makeProvider('saml', tenant, { metadataUrl, ssoUrl: 'https://example.com/sso' });
    const page = await openAs(await world.makePerson('Partner Admin', tenant), `/sign-on/${id}`);
    const check = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Check now' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Check now' }).click();
    };
    await check();
    await expect(page.getByText('The metadata differs from the settings.')).toBeVisible();
    const change = page.getByRole('alert').filter({ hasText: 'Awaiting approval' });
    await expect(change).toContainText('https://example.com/sso → ');
    await expectAccessible(page);
    await change.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Applied' })).toBeVisible();
    expect(await read(world, id)).toMatchObject({ ssoUrl });
    await check();
    await expect(page.getByText('The metadata matches the settings.')).toBeVisible();
  });
});

interface Provider {
  readonly id: string;
  readonly name: string;
  readonly allowedDomains: string | null;
  readonly attributeMapping: object;
  readonly certificates: readonly object[];
}

const makeProvider = async (world: World, { orgId }: Tenant): Promise<string> => {
  const { certificatePem: certificate } = await newSamlKey();
  const place = { ownerScope: 'organization', orgId };
  const settings = { entityId: 'https://idp.example/metadata', ssoUrl: 'https://example.com/sso', certificate };
  const body = { name: 'ADFS', type: 'saml', ...place, ...settings };
  return (await world.admin.eventually<{ data: Provider }>('POST', '/sso/providers', body)).data.id;
};
const read = async (world: World, id: string): Promise<Provider> =>
  (await world.admin.must<{ data: Provider }>('GET', `/sso/providers/${id}`)).data;
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
