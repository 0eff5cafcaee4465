import type { Page } from '@playwright/test';
import { expect, test } from '../journey.ts';
import type { Device, World } from '../world.ts';

const IMAGES = new URL('../../../docs/images/', import.meta.url).pathname;
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const SCHEMES = ['light', 'dark'] as const;
const SCREENS = ['approvals', 'requests'] as const;

const PROGRAMS = [
  { path: String.raw`C:\Users\maria\Downloads\setup.exe`, user: 'maria', reason: 'printer driver' },
  { path: String.raw`C:\Program Files\VideoLAN\vlc.exe`, signer: 'VideoLAN', user: 'ole', reason: 'update' },
  { path: String.raw`C:\Windows\regedit.exe`, signer: 'Microsoft Windows', user: 'kim' },
];

async function report({ id, agent }: Device, at: number): Promise<void> {
  const { path, signer, user, reason } = PROGRAMS[at % PROGRAMS.length] ?? {};
  await agent.must('POST', `/agents/${id}/elevation-requests`, {
    subject_username: user,
    target_executable_path: path,
    target_executable_signer: signer,
    target_executable_hash: String(at + 1).padStart(64, '0'),
    reason,
    observed_at: new Date().toISOString(),
  });
}

/** A tenant with requests that wait, and someone who decides. */
async function makeScene(world: World) {
  const tenant = await world.makeTenant('Northwind');
  for (const [at, hostname] of ['LT-0412', 'WS-88', 'SRV-2'].entries())
    await report(await world.makeDevice(tenant, hostname), at);
  return world.makePerson('Partner Technician', tenant);
}

async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('setup.exe').first()).toBeVisible();
}

test('the screenshots of the documentation', async ({ world, openAs, open }) => {
  test.setTimeout(300_000);
  const person = await makeScene(world);
  const page = await openAs(person, '/approvals', { viewport: DESK, deviceScaleFactor: 1 });
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    for (const screen of SCREENS) {
      await page.setViewportSize(DESK);
      await page.goto(`/${screen}`);
      await settled(page);
      await page.screenshot({ path: `${IMAGES}${screen}-${colorScheme}.png` });
    }
    await page.setViewportSize(PHONE);
    await page.goto('/approvals');
    await settled(page);
    await page.screenshot({ path: `${IMAGES}approvals-phone-${colorScheme}.png` });
  }
  for (const colorScheme of SCHEMES) {
    const signIn = await open('/login', { viewport: DESK, colorScheme });
    await signIn.getByLabel('E-mail address').waitFor();
    await signIn.screenshot({ path: `${IMAGES}sign-in-${colorScheme}.png` });
  }
});
