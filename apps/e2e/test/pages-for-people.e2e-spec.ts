import { Api, findBrowser, type RunningProduct, startProduct } from '@gatehouse/stack';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { QUIET, until, WITHOUT_CONSOLE } from './world.ts';

const SIZES = [360, 1280] as const;
const SCHEMES = ['light', 'dark'] as const;
const program = findBrowser();
const inBrowser = program ? describe : describe.skip;
if (!program) process.stderr.write('no Chromium on this machine (CHROMIUM_PATH or PATH): these tests are skipped\n');

inBrowser('the pages, for people', () => {
  let product: RunningProduct;
  let admin: Api;
  let browser: Browser;
  let partnerId: string;
  beforeAll(async () => {
    product = await startProduct({
      ...WITHOUT_CONSOLE,
      RATE_LIMITS: 'loginContext=1000/60,ssoStart=1000/300,signInByClient=1000/300',
    });
    admin = await until(() => new Api(product.baseUrl).signIn(product.administrator), 90);
    ({ id: partnerId } = await admin.must<{ id: string }>('POST', '/orgs/partners', {
      name: 'Northwind',
      slug: `northwind-${randomUUID().slice(0, 8)}`,
    }));
    browser = await chromium.launch({ executablePath: program ?? '', args: QUIET });
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await (await browser.newContext(options)).newPage();
    page.setDefaultTimeout(15_000);
    await page.goto(`${product.baseUrl}${path}`);
    return page;
  }

  const mailTo = (email: string): Promise<string> =>
    until(async () => {
      const mails = readdirSync(join(product.directory, 'mail')).map((name) =>
        readFileSync(join(product.directory, 'mail', name), 'utf8'),
      );
      return mails.findLast((mail) => mail.includes(`To: ${email}`)) ?? null;
    }, 30);

  /** Invites a partner administrator. @returns the path of the page that the mail leads to */
  async function invited(email: string): Promise<string> {
    const { data } = await admin.must<{ data: { id: string; name: string }[] }>('GET', '/roles?axis=partner');
    const roleId = data.find(({ name }) => name === 'Partner Admin')?.id;
    await admin.eventually('POST', '/users', {
      email,
      name: 'Tess',
      membership: { scope: 'partner', partnerId, roleId },
    });
    const link = /^https?:\/\/\S+(\/accept-invite\?token=[\w-]+)$/m.exec((await mailTo(email)).replaceAll('\r', ''));
    return link?.[1] ?? '';
  }

  describe.each(SCHEMES)('in %s colours', (colorScheme) => {
    it.each(SIZES)('can be read at a width of %d pixels', async (width) => {
      for (const path of ['/login', '/reset-password?token=x', '/nowhere', `/api/v1/sso/login/${randomUUID()}`]) {
        const page = await open(path, { colorScheme, viewport: { width, height: 800 } });
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.getByText('Gatehouse', { exact: true }).first().waitFor();
        const { contrast, text } = await page.evaluate(lowestContrast);
        expect([text, contrast]).toEqual([text, expect.any(Number)]);
        expect(contrast).toBeGreaterThanOrEqual(MIN_CONTRAST);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        await page.context().close();
      }
    });
  });

  it('take the place of JSON for a browser that opens an address, and not for a program', async () => {
    const unknown = randomUUID();
    const paths = ['/nowhere', `/api/v1/sso/login/${unknown}`, `/api/v1/sso/saml/login/partner/${unknown}`];
    for (const path of paths) {
      const asked = async (accept: string) => {
        const answer = await fetch(`${product.baseUrl}${path}`, { headers: { accept } });
        return [answer.status, answer.headers.get('content-type')?.split(';')[0]];
      };
      expect(await asked('text/html,*/*;q=0.8')).toEqual([404, 'text/html']);
      expect(await asked('*/*')).toEqual([404, 'application/problem+json']);
    }
    const page = await open(`/api/v1/sso/login/${unknown}`);
    await page.getByRole('heading', { name: 'Single sign-on is not set up here' }).waitFor();
    await page.getByRole('link', { name: 'Go to the sign-in page' }).click();
    await page.locator('#email').waitFor();
  });

  it('show a mail on its way as a success, and a wrong password as an error', async () => {
    const page = await open('/login');
    await page.locator('#email').fill('nobody@nowhere.example');
    await page.keyboard.press('Enter');
    await page.locator('#forgot').click();
    await page.locator('#notice.good').getByText('an e-mail is on its way').waitFor();
    await page.locator('#password').fill('certainly not the password');
    await page.keyboard.press('Enter');
    await page.locator('#notice:not(.good)').getByText('Invalid email or password.').waitFor();
  });

  it('tell what a password must be before it is chosen, and again when it is refused', async () => {
    const page = await open(await invited(`tess-${randomUUID().slice(0, 6)}@msp.example`));
    await page.locator('#password-rule').getByText('12 to 128 characters').waitFor();
    const refusedWith = async (password: string): Promise<string> => {
      await page.locator('#password').fill(password);
      await page.keyboard.press('Enter');
      await page.locator('#password[aria-invalid]').waitFor();
      return (await page.locator('#notice').textContent()) ?? '';
    };
    expect(await refusedWith('short')).toMatch(/has 5 characters; at least 12 are required.*12 to 128/);
    expect(await refusedWith('password1234')).toMatch(/too common.*not a common one/);
  });

  it('offer the key of an authenticator as a QR code, and recovery codes to copy, download and print', async () => {
    const page = await open(await invited(`tess-${randomUUID().slice(0, 6)}@msp.example`), {
      permissions: ['clipboard-read', 'clipboard-write'],
      colorScheme: 'dark',
    });
    // People click before the page has its session.
    await page.route('**/auth/refresh', async (route) => {
      await setTimeout(500);
      await route.continue();
    });
    await page.locator('#password').fill(`a long passphrase ${randomUUID()}`);
    await page.keyboard.press('Enter');
    await page.locator('#factor').click();
    await page.locator('#enrol').click();
    const svg = page.locator('#totp-qr svg');
    await svg.waitFor();
    expect((await svg.boundingBox())?.width).toBeGreaterThan(150);
    expect(await svg.locator('path').getAttribute('d')).toMatch(/^M/);
    await page.locator('#totp-code').fill(await Api.codeFor((await page.locator('#totp-secret').textContent()) ?? ''));
    await page.keyboard.press('Enter');
    await page.locator('#recovery-codes li').first().waitFor();
    const codes = await page.locator('#recovery-codes li').allTextContents();
    await page.locator('#copy-codes').click();
    await page.getByText('Recovery codes copied.').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const [saved] = await Promise.all([page.waitForEvent('download'), page.locator('#download-codes').click()]);
    const text = readFileSync(await saved.path(), 'utf8');
    for (const code of codes) for (const kept of [copied, text]) expect(kept).toContain(code);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('#recovery-codes').isVisible()).toBe(true);
    expect(await page.locator('#sign-out').isVisible()).toBe(false);
  });

  it("use a partner's colour only where it can be read", async () => {
    const page = await open(await invited(`tess-${randomUUID().slice(0, 6)}@msp.example`));
    await page.locator('#password').fill(`a long passphrase ${randomUUID()}`);
    await page.keyboard.press('Enter');
    await page.locator('#factor').click();
    await page.waitForURL(`${product.baseUrl}/settings/profile`);
    const token = await page.evaluate(async () => {
      const answer = await fetch('/api/v1/auth/refresh', { method: 'POST' });
      return ((await answer.json()) as { accessToken: string }).accessToken;
    });
    const boss = new Api(product.baseUrl).as(token);
    for (const accentColor of ['#ffe14d', '#0b1f4d', '#777777']) {
      await boss.must('PUT', '/partners/me/login-branding', { headline: `Colour ${accentColor}`, accentColor });
      for (const colorScheme of SCHEMES) {
        const branded = await open('/login', { colorScheme });
        await branded.getByRole('heading', { name: `Colour ${accentColor}` }).waitFor();
        expect((await branded.evaluate(lowestContrast)).contrast).toBeGreaterThanOrEqual(MIN_CONTRAST);
        await branded.context().close();
      }
    }
  });
});

const MIN_CONTRAST = 4.5;

/** The lowest contrast of visible text on the page, as in WCAG 2.2, with the text. Runs in the browser. */
function lowestContrast(): { contrast: number; text: string } {
  const parts = (colour: string): number[] => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const channel = (value: number): number =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  const luminance = ([red = 0, green = 0, blue = 0]: number[]): number =>
    0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
  const groundOf = (element: Element | null): number[] => {
    if (!element) return [255, 255, 255];
    const ground = parts(getComputedStyle(element).backgroundColor);
    return ground.length === 4 && ground[3] === 0 ? groundOf(element.parentElement) : ground;
  };
  const shown = [...document.querySelectorAll<HTMLElement>('h1,h2,h3,p,label,li,a,button,code,input,.notice')].filter(
    (element) => element.offsetParent !== null && (element.textContent || element.tagName === 'INPUT'),
  );
  return shown
    .map((element) => {
      const [darker = 0, lighter = 0] = [
        luminance(parts(getComputedStyle(element).color)),
        luminance(groundOf(element)),
      ].sort((a, b) => a - b);
      return { contrast: (lighter + 0.05) / (darker + 0.05), text: element.textContent || element.tagName };
    })
    .reduce((lowest, one) => (one.contrast < lowest.contrast ? one : lowest));
}
