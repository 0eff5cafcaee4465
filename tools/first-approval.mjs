import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REPOSITORY, run } from './bootstrap.mjs';

// Measures how long a newcomer takes from `git clone` to the first approval in a browser:
//   node tools/first-approval.mjs
// It clones the present commit, runs `npm start` there, signs in as the demo's technician and approves what waits.

const TECHNICIAN = 'technician';
const began = performance.now();
const seconds = (from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

/** Runs `npm start` in the clone. @returns the child and what it has printed when it is ready */
async function start(directory) {
  const child = spawn('npm', ['start'], { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const ready = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (text.includes('Ctrl-C')) resolve(text);
    });
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${text}`)));
  });
  return { child, ready };
}

/** One person of the printed list of sign-ins. */
function personIn(text, who) {
  const found = new RegExp(`^ +${who} +(\\S+@\\S+)[^]*?password +(\\S+)[^]*?authenticator key (\\w+)`, 'm').exec(text);
  if (!found) throw new Error(`npm start names no ${who}:\n${text}`);
  return { email: found[1], password: found[2], totpSecret: found[3] };
}

async function approveIn(page, address, { email, password, totpSecret }, codeFor) {
  await page.goto(address);
  await page.getByLabel('E-mail address').fill(email);
  await page.keyboard.press('Enter');
  await page.getByLabel('Password', { exact: true }).first().fill(password);
  await page.keyboard.press('Enter');
  await page
    .getByLabel('Code from your authenticator app')
    .first()
    .fill(await codeFor(totpSecret));
  await page.keyboard.press('Enter');
  const row = page.locator('li[data-request]').first();
  await row.getByRole('button', { name: 'Approve', exact: true }).click();
  // A prompt with a warning asks for a reason and a second press.
  const anyway = page.getByRole('dialog').getByRole('button', { name: 'Approve anyway' });
  await row
    .getByText(/approved by/)
    .or(anyway)
    .first()
    .waitFor();
  if (await anyway.isVisible()) {
    await page.getByRole('dialog').getByLabel('Reason').fill('I asked');
    await anyway.click();
  }
  await page
    .getByText(/approved by/)
    .first()
    .waitFor();
}

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-newcomer-'));
let child;
try {
  if ((await run('git', ['clone', '--quiet', REPOSITORY, directory])) !== 0) throw new Error('git clone failed');
  const started = await start(directory);
  child = started.child;
  const readyAt = performance.now();
  process.stdout.write(`from git clone to ready: ${seconds(began)}\n`);
  const address = /console +(http\S+)/.exec(started.ready)?.[1] ?? '';
  const { Api, findBrowser } = await import(join(directory, 'tools/stack/dist/index.js'));
  const { chromium } = await import('@playwright/test');
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage({ locale: 'en-GB' });
  const person = personIn(started.ready, TECHNICIAN);
  await approveIn(page, address, person, (secret) => Api.codeFor(secret));
  process.stdout.write(`from ready to the first approval: ${seconds(readyAt)}\nin all: ${seconds(began)}\n`);
  await browser.close();
} finally {
  if (child?.pid && child.exitCode === null) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
  rmSync(directory, { recursive: true, force: true });
}
