import { knownReport, signInLines } from '@gatehouse/stack';
import { administrator } from './chapters/administrator.ts';
import { audit, signOut } from './chapters/audit.ts';
import { devices } from './chapters/devices.ts';
import { elevation, rules } from './chapters/elevation.ts';
import { singleSignOn } from './chapters/single-sign-on.ts';
import { technician } from './chapters/technician.ts';
import { tenancy } from './chapters/tenancy.ts';
import { Journey, StepFailed, type Tour } from './journey.ts';
import { playLive } from './live/play-live.ts';
import { ProductClient } from './product-client.ts';
import { readSettings, type Settings, USAGE, UsageError } from './settings.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function walk(settings: Settings, journey: Journey): Promise<void> {
  const run = Date.now().toString(36);
  const onWait = (seconds: number) => print(`    (the product asks to wait ${seconds} s)`);
  const tour: Tour = { journey, settings, run, product: new ProductClient(settings.baseUrl, { onWait }) };
  print(`A journey through ${settings.baseUrl} (run ${run})`);
  const admin = await administrator(tour);
  const tenant = await tenancy(tour, admin);
  const tess = await technician(tour, admin, tenant);
  await singleSignOn(tour, admin, tenant);
  const device = await devices(tour, admin, tenant);
  await rules(tour, admin, tenant);
  await elevation(tour, tess.client, device);
  await audit(tour, admin, tenant);
  await signOut(tour, tess);
}

async function walkJourney(settings: Settings): Promise<void> {
  const journey = new Journey(print);
  try {
    await walk(settings, journey);
    print(`\nAll ${journey.steps} steps went as they should.`);
  } catch (error) {
    if (!(error instanceof StepFailed)) print(`  ✗ ${error instanceof Error ? error.message : String(error)}`);
    print(`\nThe journey ended after ${journey.steps} steps: not everything is as it should be.`);
    process.exitCode = 1;
  }
}

async function live(settings: Settings): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const product = new ProductClient(settings.baseUrl);
  const reported = await playLive({ settings, product, signal: stop.signal, print });
  print(`\n${reported} prompts were reported; the requests and the devices stay.`);
}

async function printCodes(): Promise<void> {
  const people = (knownReport()?.signIns ?? []).filter(({ totpSecret }) => totpSecret);
  if (people.length === 0) throw new Error('there are no demo sign-ins: npm start makes them in an empty system');
  for (const person of people) print((await signInLines(person)).join('\n'));
}

async function perform(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) return print(USAGE);
  const settings = readSettings(args, process.env);
  const tasks = { journey: walkJourney, live, codes: printCodes };
  await tasks[settings.task](settings);
}

try {
  await perform(process.argv.slice(2));
} catch (error) {
  print(`  ✗ ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
