import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../journey.ts';
import { signInAtProvider } from '../pages/provider-page.ts';
import type { Tenant, World } from '../world.ts';

test.describe('journey 40: the customer’s administrator sets up single sign-on alone', () => {
  test('a wrong redirect address, a wrong secret, a missing claim and an unread second factor are each named', async ({
    world,
    open,
  }) => {
    const tenant = await world.makeTenant();
    await world.proveDomain(tenant, DOMAIN);
    const { misdirected, oidc } = world.neighbours;
    const secondFactor = { trustsIdpMfa: true, mfaEvidence: ['acr'], mfaEvidenceValues: { acr: ['two-factors'] } };
    const id = await world.makeProvider('oidc', tenant, { ...misdirected, ...secondFactor });
    await world.admin.must('POST', `/sso/providers/${id}/status`, { status: 'inactive' });
    const wanted = { orgId: tenant.orgId, providerId: id };
    const { data } = await world.admin.must<{ data: { url: string } }>('POST', '/sso/setup-links', wanted);
    const visitor = await open(data.url.replace(world.baseUrl, ''), { viewport: { width: 360, height: 800 } });
    await button(visitor, 'Test sign-in').click();
    await expect(visitor.getByText('Enter our redirect URI there exactly as shown above')).toBeVisible();

    const save = async (clientSecret: string) => {
      await visitor.getByLabel('Client secret').fill(clientSecret);
      await button(visitor, 'Save').click();
      await expect(visitor.getByText('Saved.')).toBeVisible();
    };
    await visitor.getByLabel('Issuer').fill(oidc.issuer);
    await visitor.getByLabel('Client ID').fill(oidc.clientId);
    await save('wrong');
    await tryAgain(visitor);
    await expect(visitor.getByText('Check the client ID and the client secret.')).toBeVisible();

    await save(oidc.clientSecret);
    const map = (email: string) =>
      world.admin.must('PATCH', `/sso/providers/${id}`, { attributeMapping: { email, name: 'name' } });
    await map('mail');
    await tryAgain(visitor);
    await expect(visitor.getByText('Your provider sent no e-mail address.')).toBeVisible();
    await expect(visitor.getByText(/^Received: .*\bemail\b/)).toBeVisible();

    await map('email');
    await tryAgain(visitor);
    await expect(visitor.getByText('The test sign-in succeeded.')).toBeVisible();
    await expect(visitor.getByText('– Second factor')).toContainText('confirmed no accepted second factor');
    await expect(visitor.getByText('Expected: acr. Received:')).toBeVisible();
    await expectAccessible(visitor);
  });

  for (const [type, width] of [
    ['oidc', 1280],
    ['saml', 360],
  ] as const)
    test(`${type}: from the link to the first sign-in of a person, without an account, ${width} pixels wide`, async ({
      world,
      open,
      openAs,
    }) => {
      const tenant = await world.makeTenant();
      const technician = await world.makePerson('Partner Admin', tenant);
      const [screen, path] = await linkFor(world, tenant, (address) => openAs(technician, address));
      const visitor = await open(path, { viewport: { width, height: 800 } });
      await expect(visitor.getByText('For Northwind, in five steps.')).toBeVisible();
      expect(visitor.url()).not.toContain('#');
      expect(await visitor.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await setUp(visitor, world, type);
      const made = await world.admin.must<{ data: { id: string; metadataUrl: string | null }[] }>(
        'GET',
        `/sso/providers?orgId=${tenant.orgId}`,
      );
      const { metadataUrl } = world.neighbours.saml;
      expect(made.data[0]).toMatchObject({ metadataUrl: type === 'saml' ? metadataUrl : null });
      await screen.reload();
      await expect(screen.getByText('finished')).toBeVisible();
      await button(screen, 'Send alerts with renewal links').click();
      await screen.getByRole('dialog').getByRole('button', { name: 'Send alerts with renewal links' }).click();
      await expect(screen.getByText('Expiry alerts for certificates and secrets include a renewal')).toBeVisible();
      await expectAccessible(screen);
      await screen.goto('/sign-on/set-up');
      await expect(screen.getByText('secrets include no renewal link')).toBeVisible();
      const person = await open(`/api/v1/sso/${type === 'saml' ? 'saml/' : ''}login/${tenant.orgId}`);
      await signInAtProvider(person);
      await expect(person.getByRole('navigation').first()).toBeVisible();
      const page = await openAs(technician, `/sign-on/${made.data[0]?.id ?? ''}`);
      await renew(
        page,
        (address) => open(address, { viewport: { width, height: 800 } }),
        made.data[0]?.metadataUrl ?? null,
      );
    });
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The domain of the people whom the identity provider knows. */
const DOMAIN = 'acme.example';

/** What the visitor enters of the provider. */
const SETTINGS = {
  oidc: async (page: Page, { neighbours: { oidc } }: World): Promise<void> => {
    await page.getByLabel('Which provider do you use?').selectOption('Another provider, with OpenID Connect');
    await expect(page.getByText('/api/v1/sso/callback').first()).toBeVisible();
    await page.getByLabel('Issuer').fill(oidc.issuer);
    await page.getByLabel('Client ID').fill(oidc.clientId);
    await page.getByLabel('Client secret').fill(oidc.clientSecret);
  },
  saml: async (page: Page, { neighbours: { saml } }: World): Promise<void> => {
    await page.getByLabel('Which provider do you use?').selectOption('Another provider, with SAML');
    await expect(page.getByText('/api/v1/sso/saml/acs').first()).toBeVisible();
    await page.getByLabel('Metadata URL or text').fill(saml.metadataUrl);
    await button(page, 'Load').click();
    await expect(page.getByLabel('Entity ID', { exact: true })).toHaveValue(saml.entityId);
  },
} as const;

/** The visitor goes the five steps, and switches single sign-on on. */
async function setUp(page: Page, world: World, type: 'oidc' | 'saml'): Promise<void> {
  await SETTINGS[type](page, world);
  await button(page, 'Save').click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await page.getByLabel('Domain', { exact: true }).fill(DOMAIN);
  await button(page, 'Add the domain').click();
  await expect(page.getByText('Record name')).toBeVisible();
  const [name = '', value = ''] = await page.locator('#domains code').allTextContents();
  world.publish(name, value);
  await button(page, `Check ${DOMAIN}`).click();
  await expect(page.getByRole('heading', { name: /mail domain ✓ done/ })).toBeVisible();
  await expectAccessible(page);
  await button(page, 'Test sign-in').click();
  await signInAtProvider(page);
  await expect(page.getByText('The test sign-in succeeded.')).toBeVisible();
  await button(page, 'Done').click();
  await expect(page.getByText(/Single sign-on is set up/)).toBeVisible();
}

async function linkFor(world: World, tenant: Tenant, openAs: (path: string) => Promise<Page>): Promise<[Page, string]> {
  const page = await openAs(`/sign-on/set-up?org=${tenant.orgId}`);
  await button(page, 'Send a set-up link').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Role of new accounts').selectOption('Organization Technician');
  await dialog.getByRole('switch', { name: 'The visitor can activate the provider at the end' }).click();
  await button(page, 'Send a set-up link').last().click();
  const url = await page.getByText(/\/sso-setup#[\w-]{43}/).textContent();
  await expectAccessible(page);
  return [page, (url ?? '').replace(world.baseUrl, '')];
}

/** A visitor renews the secret, or the certificate, and sees nothing else of the provider. */
async function renew(screen: Page, visit: (path: string) => Promise<Page>, metadataUrl: string | null): Promise<void> {
  await button(screen, 'Send a renewal link').click();
  await screen.getByRole('dialog').getByRole('button', { name: 'Send a renewal link' }).click();
  const url = await screen.getByText(/\/sso-setup#[\w-]{43}/).textContent();
  await expectAccessible(screen);
  const visitor = await visit(new URL(url ?? '').pathname + new URL(url ?? '').hash);
  await expect(visitor.getByRole('heading', { name: /^Renew / })).toBeVisible();
  for (const name of ['Issuer', 'Client ID', 'Entity ID', 'Sign-in address', 'Domain'])
    await expect(visitor.getByLabel(name, { exact: true })).toBeHidden();
  expect(await visitor.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  if (metadataUrl) {
    await visitor.getByLabel('Metadata URL or text').fill(metadataUrl);
    await button(visitor, 'Load').click();
    await expect(visitor.getByText('Metadata loaded.')).toBeVisible();
  } else await visitor.getByLabel('The secret expires on').fill('2030-01-31');
  await button(visitor, 'Save').click();
  await expect(visitor.getByText('Saved.')).toBeVisible();
  await expectAccessible(visitor);
  await button(visitor, 'Done').click();
  await expect(visitor.getByText('The renewal is complete.')).toBeVisible();
}

/** Another test sign-in, of a person whom the provider does not remember. */
async function tryAgain(page: Page): Promise<void> {
  await page.context().clearCookies({ name: /^_(session|interaction)/ });
  await button(page, 'Test sign-in').click();
  await signInAtProvider(page);
}
