import type { Page } from '@playwright/test';
import { Authenticator } from '../authenticator.ts';
import { expect, test } from '../journey.ts';
import { report } from '../report.ts';
import { until } from '../world.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, permissions: ['notifications'] };

/** Delivers a push to the worker. @returns the address that a tap on its notification opens */
async function deliver(page: Page, origin: string, message: object): Promise<string> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const browser = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    }),
  );
  await browser.send('ServiceWorker.enable');
  const registrationId = await registered;
  await browser.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(message) });
  return until(() =>
    page.evaluate(async () => {
      const [shown] = await (await navigator.serviceWorker.ready).getNotifications();
      return shown ? String(shown.data) : null;
    }),
  );
}

test.describe('journey 2: on the phone', () => {
  test('a push names its approval; Approve and a passkey are two taps', async ({ world, open, watch }) => {
    watch.expect(/403|401/);
    const tenant = await world.makeTenant();
    const device = await world.makeDevice(tenant, 'LT-0412');
    const invitation = await world.invite('Partner Technician', tenant);
    const phone = await open('/login', PHONE);
    await world.acceptIn(phone.context(), invitation);
    await phone.goto('/approvals');

    // The passkey is made in another session, so that the phone still has to prove it.
    const desk = await open('/login');
    await desk.getByLabel('E-mail address').fill(invitation.email);
    await desk.keyboard.press('Enter');
    await desk.getByLabel('Password', { exact: true }).first().fill(invitation.password);
    await desk.keyboard.press('Enter');
    await desk.getByRole('navigation').first().waitFor();
    const deskKeys = await Authenticator.in(desk);
    await desk.goto('/settings/profile');
    await desk.getByRole('button', { name: 'Add a passkey' }).click();
    await desk.getByRole('dialog').getByRole('textbox').fill('Phone');
    await desk.getByRole('dialog').getByRole('button', { name: 'Add a passkey' }).click();
    await desk.getByRole('button', { name: 'I have kept them' }).click();
    const phoneKeys = await Authenticator.in(phone);
    await phoneKeys.takeFrom(deskKeys);

    // The first prompt with a file warns that it is new here; the second one does not.
    const prompt = { path: String.raw`C:\Program Files\VideoLAN\vlc.exe`, signer: 'VideoLAN', hash: 'ab'.repeat(32) };
    await report(device, prompt);
    const requestId = await report(device, { ...prompt, user: 'ole' });
    const title = 'An approval is waiting for you';
    expect(await deliver(phone, world.baseUrl, { title, approvalId: requestId })).toBe(`/approvals/${requestId}`);

    const row = phone.locator(`li[data-request="${requestId}"]`);
    await phone.goto('/approvals');
    await row.getByRole('button', { name: 'Approve', exact: true }).tap();
    await phone.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).tap();
    await expect(row).toContainText(/approved by/);
    const stored = await world.admin.must<{ request: { status: string } }>(
      'GET',
      `/pam/elevation-requests/${requestId}`,
    );
    expect(stored.request.status).toBe('approved');
  });
});
