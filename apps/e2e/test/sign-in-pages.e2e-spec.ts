import { Api, findBrowser, type RunningProduct, startProduct } from '@gatehouse/stack';
import { type FakeDns, startFakeDns } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { QUIET, until, WITHOUT_CONSOLE } from './world.ts';

const program = findBrowser();
const inBrowser = program ? describe : describe.skip;
if (!program) process.stderr.write('no Chromium on this machine (CHROMIUM_PATH or PATH): these tests are skipped\n');

interface Made {
  readonly id: string;
  readonly name: string;
}

inBrowser('the pages, in a real browser', () => {
  let product: RunningProduct;
  let admin: Api;
  let browser: Browser;
  let orgId: string;
  let dns: FakeDns;
  beforeAll(async () => {
    dns = await startFakeDns();
    product = await startProduct({
      DEMO: 'true',
      ...WITHOUT_CONSOLE,
      DNS_SERVERS: dns.address,
      RATE_LIMITS:
        'signInByClient=1000/300,signInByAccount=1000/300,mfa=1000/300,ssoStart=1000/300,discovery=1000/300,loginContext=1000/60',
    });
    admin = await until(() => new Api(product.baseUrl).signIn(product.administrator), 90);
    browser = await chromium.launch({ executablePath: program ?? '', args: QUIET });
    orgId = await makeOrganization();
    await connectProvider(orgId, oidc());
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    await dns?.stop();
  });

  const identityProvider = (): string => `http://${product.endpoints.identityProvider}`;

  const oidc = () => ({
    type: 'oidc',
    issuer: identityProvider(),
    clientId: 'gatehouse',
    clientSecret: 'gatehouse-dev-secret',
  });

  async function makeOrganization(): Promise<string> {
    const name = `pages-${randomUUID().slice(0, 8)}`;
    return (
      await admin.must<Made>('POST', '/orgs/organizations', { partnerId: await theOnlyPartner(), name, slug: name })
    ).id;
  }

  /** The demo tenant's partner, whose branding the sign-in page shows; it is created when the product is ready. */
  const theOnlyPartner = (): Promise<string> =>
    until(async () => (await admin.must<{ data: Made[] }>('GET', '/orgs/partners')).data[0]?.id ?? null, 60);

  async function connectProvider(owner: string, provider: object): Promise<string> {
    const { data: roles } = await admin.must<{ data: Made[] }>('GET', '/roles?axis=organization');
    const defaultRoleId = roles.find(({ name }) => name === 'Organization Technician')?.id;
    const { data } = await admin.eventually<{ data: Made }>('POST', '/sso/providers', {
      orgId: owner,
      name: 'Acme ID',
      autoProvision: true,
      defaultRoleId,
      ...provider,
    });
    await admin.must('POST', `/sso/providers/${data.id}/status`, { status: 'active' });
    return data.id;
  }

  /** A user who has accepted one invitation for each membership. */
  async function invited(
    memberships: readonly {
      axis: 'partner' | 'organization';
      role: string;
      scope: string;
      partnerId?: string;
      orgId?: string;
    }[],
  ): Promise<{ email: string; password: string; token: string }> {
    const email = `tess-${randomUUID().slice(0, 6)}@msp.example`;
    const password = `a long passphrase ${randomUUID()}`;
    for (const { axis, role, ...place } of memberships) {
      const { data: roles } = await admin.must<{ data: Made[] }>('GET', `/roles?axis=${axis}`);
      await admin.eventually('POST', '/users', {
        email,
        name: 'Tess',
        membership: { ...place, roleId: roles.find(({ name }) => name === role)?.id },
      });
    }
    const link = await until(async () => invitationFor(email), 30);
    const { accessToken } = await admin.must<{ accessToken: string }>('POST', '/auth/accept-invite', {
      token: new URL(link).searchParams.get('token'),
      password,
    });
    return { email, password, token: accessToken };
  }

  /** Opens a page, and fails the test when its content security policy or its script reports an error. */
  async function open(path: string): Promise<{ page: Page; faults: string[] }> {
    const page = await (await browser.newContext()).newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && message.text().includes('Content Security Policy')) faults.push(message.text());
    });
    await page.goto(`${product.baseUrl}${path}`);
    return { page, faults };
  }

  async function throughProvider(page: Page, email: string): Promise<void> {
    await page.waitForURL((url) => url.origin !== product.baseUrl);
    const address = page.locator('input[name="email"], input[name="login"], input[type="email"], input[type="text"]');
    await address.first().fill(email);
    const password = page.locator('input[type="password"]');
    if (await password.count()) await password.first().fill('anything');
    await page.keyboard.press('Enter');
  }

  it("sign a person in through the organisation's identity provider and use up the one-time code", async () => {
    const { page, faults } = await open(
      `/api/v1/sso/login/${orgId}?redirect=${encodeURIComponent('/settings/profile')}`,
    );
    await throughProvider(page, `ada+${randomUUID().slice(0, 6)}@acme.example`);
    await page.waitForURL(`${product.baseUrl}/settings/profile`);
    await page.getByText('organization scope').waitFor();
    expect(page.url()).not.toContain('ssoCode');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).not.toBe('Your account');
    expect(faults).toEqual([]);
  });

  /** Proves that the organisation owns the domain, as its administrator would. */
  async function verifyDomain(owner: string, domain: string): Promise<void> {
    const { data } = await admin.must<{ data: { id: string; recordName: string; recordValue: string } }>(
      'POST',
      '/sso/domains',
      { orgId: owner, domain },
    );
    dns.records[data.recordName] = { TXT: [data.recordValue] };
    await admin.must('POST', `/sso/domains/${data.id}/verify`, {});
  }

  it('sign a person in through SAML, whose answer comes back across sites', async () => {
    const owner = await makeOrganization();
    const metadata = await (await fetch(`${identityProvider()}/saml/metadata`)).text();
    const certificate = /<ds:X509Certificate>([^<]+)</.exec(metadata)?.[1];
    await connectProvider(owner, {
      type: 'saml',
      entityId: `${identityProvider()}/saml/metadata`,
      ssoUrl: `${identityProvider()}/saml/sso`,
      certificate,
    });
    await verifyDomain(owner, 'acme.example');
    const { page, faults } = await open(
      `/api/v1/sso/saml/login/${owner}?redirect=${encodeURIComponent('/settings/profile')}`,
    );
    await throughProvider(page, `ada+${randomUUID().slice(0, 6)}@acme.example`);
    await page.waitForURL(`${product.baseUrl}/settings/profile`);
    await page.getByText('organization scope').waitFor();
    expect(faults).toEqual([]);
  });

  it('offer the provider of a verified domain by the address alone, beside the password', async () => {
    const owner = await makeOrganization();
    const id = await connectProvider(owner, oidc());
    await verifyDomain(owner, 'discovered.example');
    await admin.must('PATCH', `/sso/providers/${id}?force=true`, { enforceSSO: true });
    const { page } = await open('/login');
    await page.locator('#email').fill('anybody@discovered.example');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Continue with Acme ID' }).waitFor();
    await page.getByRole('button', { name: 'Use a password instead' }).click();
    await page.locator('#password').waitFor();
  });

  it('ask again for an address that is none, and show and change the one that was given', async () => {
    const { page, faults } = await open('/login');
    for (const none of ['', 'ada', 'ada@']) {
      await page.locator('#email').fill(none);
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('Enter your e-mail address').waitFor();
      expect(await page.locator('#email').evaluate((field) => field === document.activeElement)).toBe(true);
      expect(await page.locator('#password').isVisible()).toBe(false);
    }
    await page.locator('#email').fill('ada@nowhere.example');
    await page.keyboard.press('Enter');
    await page.locator('#address').getByText('ada@nowhere.example').waitFor();
    await page.locator('#password').fill('a secret');
    await page.getByRole('button', { name: 'Show password' }).click();
    expect(await page.locator('#password').getAttribute('type')).toBe('text');
    await page.getByRole('button', { name: 'Change' }).click();
    expect(await page.locator('#email').inputValue()).toBe('ada@nowhere.example');
    expect(faults).toEqual([]);
  });

  it('lead to a provider that is not enforced, by the address of its organisation and from then on in this browser', async () => {
    const { page } = await open('/login');
    await page.getByRole('button', { name: 'Use single sign-on' }).first().click();
    await page.getByRole('alert').getByText('Open your organisation’s sign-in address').waitFor();
    await page.goto(`${product.baseUrl}/login?org=${randomUUID()}`);
    await page.locator('#email').waitFor();
    await page.goto(`${product.baseUrl}/login?org=${orgId}&redirect=${encodeURIComponent('/settings/profile')}`);
    await page.getByRole('link', { name: 'Continue with Acme ID' }).click();
    await page.waitForURL((url) => url.host === product.endpoints.identityProvider);
    await page.goto(`${product.baseUrl}/login`);
    await page.locator('#email').fill('ada@nowhere.example');
    await page.keyboard.press('Enter');
    await page.locator('#password-form').getByRole('button', { name: 'Use single sign-on' }).click();
    await page.getByText('You last used this identity provider').waitFor();
    await page.getByRole('link', { name: 'Continue with Acme ID' }).waitFor();
    await page.getByRole('button', { name: 'Use a password instead' }).click();
    await page.locator('#password').waitFor();
  });

  it('say in plain words why a sign-in failed', async () => {
    const { page } = await open(`/api/v1/sso/login/${orgId}`);
    await throughProvider(page, `grace+${randomUUID().slice(0, 6)}@acme.example`);
    await page.waitForURL(/\/login\?error=email_unverified/);
    await page.getByRole('alert').getByText('has not verified your e-mail address').waitFor();
    const reference = new URL(page.url()).searchParams.get('attempt') ?? 'none';
    await page.getByRole('alert').getByText(`Reference for support: ${reference}`).waitFor();
  });

  it('say that a sign-in failed when the code is none of the list', async () => {
    for (const code of ['constructor', 'valueOf', 'no_such_code']) {
      const { page } = await open(`/login?error=${code}`);
      await page.getByRole('alert').getByText('could not sign you in').waitFor();
    }
  });

  it("show the partner's branding, and hide the password form behind a toggle while the partner enforces its provider", async () => {
    const partnerId = await theOnlyPartner();
    const { token } = await invited([{ axis: 'partner', role: 'Partner Admin', scope: 'partner', partnerId }]);
    const boss = new Api(product.baseUrl).as(token);
    const { secret } = await boss.must<{ secret: string }>('POST', '/auth/mfa/totp/enroll', {});
    const confirmed = await boss.must<{ accessToken: string }>('POST', '/auth/mfa/totp/confirm', {
      code: await Api.codeFor(secret),
    });
    const owner = new Api(product.baseUrl).as(confirmed.accessToken);
    await owner.must('PUT', '/partners/me/login-branding', {
      headline: 'Welcome to Northwind',
      accentColor: '#a1b2c3',
    });
    const {
      data: { id },
    } = await owner.must<{ data: Made }>('POST', '/sso/providers', {
      ownerScope: 'partner',
      name: 'Northwind staff',
      ...oidc(),
      enforceSSO: true,
    });
    const ready = async (): Promise<Page> => {
      const { page, faults } = await open('/login');
      await page.getByRole('heading', { name: 'Welcome to Northwind' }).waitFor();
      expect(faults).toEqual([]);
      return page;
    };
    expect(await (await ready()).locator('#email').isVisible()).toBe(true);
    await admin.must('POST', `/sso/providers/${id}/status?force=true`, { status: 'active' });
    const page = await ready();
    await page.getByRole('link', { name: 'Continue with Northwind staff' }).waitFor();
    expect(await page.locator('#email').isVisible()).toBe(false);
    await page.locator('#show-password-form').click();
    await page.locator('#email').waitFor();
    await admin.must('DELETE', `/sso/providers/${id}`);
  });

  it('name each of several memberships, and sign in to the one that is chosen', async () => {
    const other = await makeOrganization();
    const member = (owner: string) =>
      ({ axis: 'organization', role: 'Organization Viewer', scope: 'organization', orgId: owner }) as const;
    const { email, password } = await invited([member(orgId), member(other)]);
    const { page } = await open('/login');
    await page.locator('#email').fill(email);
    await page.keyboard.press('Enter');
    await page.locator('#password').fill(password);
    await page.keyboard.press('Enter');
    await page.locator('#memberships button').nth(1).waitFor();
    for (const text of await page.locator('#memberships button').allTextContents())
      expect(text).toMatch(/^pages-\w+ \(Organization Viewer\)$/);
    await page.locator('#memberships button').first().click();
    await page.waitForURL(`${product.baseUrl}/settings/profile`);
  });

  it('IDY-195 an invitation names who invites whom to what, offers a second factor, and both sign in without a mouse', async () => {
    const email = `tess-${randomUUID().slice(0, 6)}@msp.example`;
    const password = `a long passphrase ${randomUUID()}`;
    const { data: roles } = await admin.must<{ data: Made[] }>('GET', '/roles?axis=organization');
    const roleId = roles.find(({ name }) => name === 'Organization Technician')?.id;
    await admin.must('POST', '/users', { email, name: 'Tess', membership: { scope: 'organization', orgId, roleId } });
    const link = await until(async () => invitationFor(email), 30);

    const { page, faults } = await open(link.slice(link.indexOf('/accept-invite')));
    await page.getByRole('heading', { name: /Welcome, .Tess/ }).waitFor();
    expect(await page.locator('#invitation').textContent()).toMatch(/ invites you to .pages-\w+/);
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(email);
    expect(await page.locator('input:visible').count()).toBe(2);
    await page.locator('#password').fill(password);
    await page.keyboard.press('Enter');
    await page.locator('#factor:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${product.baseUrl}/settings/profile`);
    await page.locator('#enrol:visible').focus();
    await page.keyboard.press('Enter');
    await page.locator('#totp-form:not([hidden])').waitFor();
    const secret = (await page.locator('#totp-secret').textContent()) ?? '';
    await page.locator('#totp-code').fill(await Api.codeFor(secret));
    await page.keyboard.press('Enter');
    await page.getByText('Your second factor is confirmed.').waitFor();
    await page.locator('#recovery-codes li').first().waitFor();
    expect(await page.locator('#recovery-codes li').count()).toBeGreaterThanOrEqual(8);
    const recoveryCode = (await page.locator('#recovery-codes li').first().textContent()) ?? '';
    await page.locator('#sign-out').click();
    await page.waitForURL(/\/login$/);

    await page.locator('#email').fill(email);
    await page.keyboard.press('Enter');
    await page.locator('#password').fill(password);
    await page.keyboard.press('Enter');
    await page.locator('#code').fill(recoveryCode);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${product.baseUrl}/settings/profile`);
    await page.getByText('Your second factor is confirmed.').waitFor();
    expect(faults).toEqual([]);
  });

  it('answer a wrong password and an unknown address alike', async () => {
    const texts: string[] = [];
    for (const email of [product.administrator.email, `nobody-${randomUUID()}@nowhere.example`]) {
      const { page } = await open('/login');
      await page.locator('#email').fill(email);
      await page.keyboard.press('Enter');
      await page.locator('#password').fill('certainly not the password');
      await page.keyboard.press('Enter');
      await page.locator('#notice:not([hidden])').waitFor();
      texts.push((await page.locator('#notice').textContent()) ?? '');
    }
    expect(texts).toEqual(['Invalid email or password.', 'Invalid email or password.']);
  });

  it('never send the browser to another site after a sign-in, and leave no token in its storage', async () => {
    const { email, password } = await invited([
      { axis: 'organization', role: 'Organization Viewer', scope: 'organization', orgId },
    ]);
    const { page } = await open(`/login?redirect=${encodeURIComponent('//evil.example/')}`);
    await page.locator('#email').fill(email);
    await page.keyboard.press('Enter');
    await page.locator('#password').fill(password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${product.baseUrl}/settings/profile`);
    await page.getByText('organization scope').waitFor();
    const kept = await page.evaluate(() => [sessionStorage.length, localStorage.length, document.cookie]);
    expect(kept).toEqual([0, 0, '']);
  });

  it('ATK-231 send nothing before their script runs, and no password into the address', async () => {
    const page = await browser.newPage();
    await page.route('**/*.js', (route) => route.abort());
    for (const path of ['login', 'accept-invite', 'reset-password', 'sso-setup']) {
      await page.goto(`${product.baseUrl}/${path}`);
      const forms = await page.evaluate(() => [...document.forms].map((form) => form.requestSubmit()));
      expect(forms).not.toHaveLength(0);
      await page.waitForTimeout(200);
      expect(page.url()).toBe(`${product.baseUrl}/${path}`);
    }
    await page.close();
  });

  it('show the API documentation', async () => {
    const { page } = await open('/docs');
    // The viewer draws some hundred operations, beside two other suites on two cores.
    await page.locator('.opblock-tag').first().waitFor({ timeout: 120_000 });
    expect(await page.locator('.opblock-tag').count()).toBeGreaterThan(10);
  });

  function invitationFor(email: string): string | null {
    const mails = readdirSync(join(product.directory, 'mail')).map((name) =>
      readFileSync(join(product.directory, 'mail', name), 'utf8'),
    );
    const mail = mails.find((text) => text.includes(email));
    return /https?:\/\/\S+\/accept-invite\?token=[\w-]+/.exec(mail ?? '')?.[0] ?? null;
  }
});
