import { expect, test } from '../journey.ts';

test.describe('journey 24: a hostile page', () => {
  test('cannot frame the console', async ({ world, watch, page }) => {
    watch.expect(/frame-ancestors|ERR_BLOCKED_BY_RESPONSE|Framing|chrome-error/);
    await page.route('https://hostile.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${world.baseUrl}/approvals"></iframe>` }),
    );
    await page.goto('https://hostile.example/');
    await expect.poll(() => page.frames().length).toBe(2);
    const framed = page.frames().find((frame) => frame.parentFrame() !== null);
    await expect.poll(() => framed?.evaluate(() => document.querySelector('#root'))).toBeNull();
    expect(framed?.url()).not.toContain('/approvals');
  });

  test('cannot inject markup: the page refuses it as Trusted Types demand', async ({ world, watch, openAs }) => {
    watch.expect(
      /TrustedHTML|TrustedScript|trusted-types|policy violation|Content Security Policy|not allowed on this page/,
    );
    const page = await openAs(await world.makePerson('Partner Technician', await world.makeTenant()), '/approvals');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const outcomes = await page.evaluate(() => {
      const attempt = (work: () => unknown): string => {
        try {
          work();
          return 'done';
        } catch (error) {
          return (error as Error).name;
        }
      };
      const place = document.createElement('div');
      document.body.append(place);
      const hostile = '<img src=x onerror="window.owned = true">';
      return {
        markup: attempt(() => (place.innerHTML = hostile)),
        adjacent: attempt(() => place.insertAdjacentHTML('beforeend', hostile)),
        script: attempt(() => (document.createElement('script').text = 'window.owned = true')),
        address: attempt(() => (document.createElement('script').src = 'https://hostile.example/x.js')),
        policy: attempt(() => (window as Window & Partial<Factory>).trustedTypes?.createPolicy('another', {})),
      };
    });
    expect(outcomes).toEqual({
      markup: 'TypeError',
      adjacent: 'TypeError',
      script: 'TypeError',
      address: 'TypeError',
      policy: 'TypeError',
    });
    expect(await page.evaluate(() => 'owned' in window)).toBe(false);
  });

  test('cannot use the session cookie from another site', async ({ world, openAs }) => {
    const person = await world.makePerson('Partner Technician', await world.makeTenant());
    const page = await openAs(person, '/approvals');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const headers = { origin: 'https://hostile.example' };
    const { request } = page.context();
    const renewal = await request.post('/api/v1/auth/refresh', { headers });
    expect(renewal.status()).toBe(403);
    expect(await renewal.json()).toMatchObject({ code: 'origin_denied' });
    // The cookie alone ends no session.
    expect((await request.post('/api/v1/auth/logout', { headers })).status()).toBe(401);
    const signIn = await request.post('/api/v1/auth/login', {
      headers,
      data: { email: person.email, password: person.password, session: 'cookie' },
    });
    expect(signIn.status()).toBe(403);
    const renewed = await page.evaluate(() =>
      fetch('/api/v1/auth/refresh', { method: 'POST' }).then(({ status }) => status),
    );
    expect(renewed).toBe(200);
  });
});

/** TypeScript's libraries do not have the Trusted Types API yet. */
interface Factory {
  readonly trustedTypes: { createPolicy(name: string, rules: object): unknown };
}
