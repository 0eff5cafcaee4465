import type { Page } from '@playwright/test';
import { findWholeBrowser } from '@gatehouse/stack';
import { setTimeout as pause } from 'node:timers/promises';
import { Authenticator } from '../authenticator.ts';
import { launch, tap } from '../browser.ts';
import { expect, test } from '../journey.ts';
import { PushKeys } from '../push-service.ts';
import { report } from '../report.ts';
import { type Device, type Invitation, until, type World } from '../world.ts';

test.use({ serviceWorkers: 'allow', launchOptions: launch(findWholeBrowser()) });

test.describe('journey 2: on the phone', () => {
  test('a push, Approve and a passkey are three taps, and the agent gets what it waits for', async ({
    world,
    open,
    watch,
  }) => {
    watch.expect(/403|401/);
    const tenant = await world.makeTenant();
    const device = await world.makeDevice(tenant, 'LT-0412');
    const defaults = { defaultUnmatchedVerdict: 'require_approval', defaultApprovalMinutes: 30 };
    await world.admin.must('PUT', `/pam/config?orgId=${tenant.orgId}`, defaults);
    // Agents of the second version of the protocol are told of outcomes.
    await device.agent.call('GET', `/agents/${device.id}/config`, undefined, { 'x-agent-protocol': '2' });
    const invitation = await world.invite('Partner Technician', tenant);
    const phone = await open('/login', PHONE);
    await world.acceptIn(phone.context(), invitation);
    await phone.goto('/approvals');
    await makePasskey(await open('/login'), phone, invitation);
    const pushes = await subscribe(world, phone);
    // The first prompt with a file warns that it is new here. It comes again until the technician is known everywhere.
    let users = 0;
    await until(async () => {
      await report(device, { ...PROMPT, user: `maria${users++}` });
      return (await pushes()).length > 0 || null;
    });

    const began = Date.now();
    const requestId = await report(device, { ...PROMPT, user: 'ole' });
    const outcome = outcomeAt(device, requestId);
    const technician = await world.sessionOf(phone.context());
    const seen = new Set<string>();
    const push = await until(async () => {
      const unseen = (await pushes()).filter(({ approvalId }) => !seen.has(approvalId));
      for (const one of unseen) {
        const { approval } = await technician.must<Detail>('GET', `/approvals/${one.approvalId}`);
        if (approval.request.id === requestId) return one;
        seen.add(one.approvalId);
      }
      return null;
    });
    let taps = 1;
    await phone.goto(await deliver(phone, world.baseUrl, push));
    const tapOn = async (name: string) => {
      await tap(phone.getByRole('button', { name, exact: true }));
      taps += 1;
    };
    for (const name of ['Approve', 'More approval options', 'Deny'])
      await expect.poll(() => heightOf(phone, name), name).toBe(MIN_HEIGHT);
    await tapOn('Approve');
    await tapOn('Use a passkey');
    await expect(phone.getByRole('status').filter({ hasText: /approved.*30 min/ })).toBeVisible();
    console.log(`journey 2: ${taps} taps, ${Date.now() - began} ms from the report to the approval`);
    expect(taps).toBeLessThanOrEqual(MAX_TAPS);
    expect(await outcome).toMatchObject({ type: 'elevation_outcome', payload: { status: 'approved' } });
  });
});

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, permissions: ['notifications'] };
const PROMPT = { path: String.raw`C:\Program Files\VideoLAN\vlc.exe`, signer: 'VideoLAN', hash: 'ab'.repeat(32) };
const MAX_TAPS = 3;
/** Of what a finger presses. */
const MIN_HEIGHT = 44;
const DISPLAYED_AFTER_MS = 1000;

interface Push {
  readonly title: string;
  readonly approvalId: string;
}

interface Detail {
  readonly approval: { readonly request: { readonly id: string } };
}

interface Command {
  readonly type: string;
  readonly payload: { readonly elevationRequestId?: string; readonly status?: string };
}

const heightOf = async (page: Page, name: string) =>
  (await page.getByRole('button', { name, exact: true }).boundingBox())?.height;

/** Delivers a push to the worker. @returns the address that a tap on its notification opens */
async function deliver(page: Page, origin: string, push: Push): Promise<string> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const browser = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    }),
  );
  const errors: string[] = [];
  browser.on('ServiceWorker.workerErrorReported', ({ errorMessage }) => errors.push(errorMessage.errorMessage));
  await browser.send('ServiceWorker.enable');
  const delivered = { origin, registrationId: await registered, data: JSON.stringify(push) };
  const address = await until(async () => {
    await browser.send('ServiceWorker.deliverPushMessage', delivered);
    // Chromium drops a notification that is read before it is displayed.
    await pause(DISPLAYED_AFTER_MS);
    return page.evaluate(async (tag) => {
      const [shown] = await (await navigator.serviceWorker.ready).getNotifications({ tag });
      return shown ? String(shown.data) : null;
    }, push.approvalId);
  });
  expect(errors).toEqual([]);
  return address;
}

/** Makes a passkey at a desk; the phone has it too, as passkeys are kept with an account, and has yet to prove it. */
async function makePasskey(desk: Page, phone: Page, { email, password }: Invitation): Promise<void> {
  await desk.getByLabel('E-mail address').fill(email);
  await desk.keyboard.press('Enter');
  await desk.getByLabel('Password', { exact: true }).first().fill(password);
  await desk.keyboard.press('Enter');
  await desk.getByRole('navigation').first().waitFor();
  const deskKeys = await Authenticator.in(desk);
  await desk.goto('/settings/profile');
  await desk.getByRole('button', { name: 'Add a passkey' }).click();
  await desk.getByRole('dialog').getByRole('textbox').fill('Phone');
  await desk.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await desk.getByRole('button', { name: 'I have saved them' }).click();
  await (await Authenticator.in(phone)).takeFrom(deskKeys);
}

/** Subscribes the user of a page at the push service. @returns reads what was sent, opened with the keys */
async function subscribe(world: World, page: Page): Promise<() => Promise<readonly Push[]>> {
  const keys = new PushKeys();
  const endpoint = world.newPushAddress();
  const api = await world.sessionOf(page.context());
  await api.must('POST', '/push-subscriptions', { kind: 'webpush', endpoint, keys: keys.shown });
  return async () => {
    const messages = (await (await fetch(endpoint)).json()) as string[];
    return messages.map((message) => JSON.parse(keys.open(Buffer.from(message, 'base64'))) as Push);
  };
}

/** Waits for commands as an agent does. @returns what it learns of the request */
const outcomeAt = ({ id, agent }: Device, requestId: string) =>
  until(async () => {
    const { commands } = await agent.must<{ commands: Command[] }>('GET', `/agents/${id}/commands?waitSeconds=25`);
    return commands.find(({ payload }) => payload.elevationRequestId === requestId) ?? null;
  });
