import { defineConfig } from '@playwright/test';
import { findBrowser } from '@gatehouse/stack';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from './browser.ts';

/** The worker fetches the whole console into each new browser: a quarter of the CPU. Journeys about it allow it. */
const WITHOUT_WORKER = { serviceWorkers: 'block' } as const;
const report = process.env['GATEHOUSE_JOURNEYS_REPORT'];

export default defineConfig({
  testDir: 'journeys',
  outputDir: join(tmpdir(), 'gatehouse-journeys'),
  globalSetup: './start-world.ts',
  // A page waits more than it works: three at a time keep two cores busy.
  workers: 3,
  // Deadlines end what hangs: three pages and the whole product share two cores, and whatever else runs on them.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // `npm test` names a journey that needed its second attempt.
  retries: 1,
  forbidOnly: true,
  reporter: report ? [['list'], ['json', { outputFile: report }]] : 'list',
  use: {
    launchOptions: launch(findBrowser()),
    actionTimeout: 60_000,
    locale: 'en-GB',
    timezoneId: 'Europe/Oslo',
    // What moves would be measured half-way.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'journeys', use: WITHOUT_WORKER },
    // What disturbs the other journeys waits until they have ended.
    { name: 'alone', testDir: 'alone', dependencies: ['journeys'], workers: 1, use: WITHOUT_WORKER },
    // Measures the full size, and no part of `npm test`.
    { name: 'scale', testDir: 'scale', workers: 1, retries: 0 },
    { name: 'screenshots', testDir: 'screenshots', fullyParallel: false },
  ],
});
