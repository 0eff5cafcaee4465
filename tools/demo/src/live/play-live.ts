import { AgentConnection } from '@gatehouse/agent';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonIn, text, type ProductClient } from '../product-client.ts';
import type { Settings } from '../settings.ts';
import { signInAdministrator } from '../sign-in.ts';
import { type LiveAgent, liveFleet } from './live-fleet.ts';
import { livePrompt } from './live-prompts.ts';

export interface LivePlan {
  readonly settings: Settings;
  readonly product: ProductClient;
  /** Ends the demo. */
  readonly signal: AbortSignal;
  print(line: string): void;
}

/** Between two reports of the fleet. */
const MIN_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 8_000;
const AFTER_FAILURE_MS = 5_000;

/** A fleet of simulated agents reports plausible prompts and carries out what is decided, until the signal. */
export async function playLive({ settings, product, signal, print }: LivePlan): Promise<number> {
  const admin = await signInAdministrator(product, settings.administrator);
  if (admin.status !== 200)
    throw new Error(
      `${settings.administrator.email} cannot sign in: ${reasonIn(admin.body)}. Name the administrator with ` +
        'BOOTSTRAP_ADMIN_EMAIL, BOOTSTRAP_ADMIN_PASSWORD and BOOTSTRAP_ADMIN_TOTP_SECRET.',
    );
  const connection = new AgentConnection({ baseUrl: settings.baseUrl, signal });
  const places = { file: settings.liveAgentsFile, log: print };
  const fleet = await liveFleet(product.as(text(admin.body, 'accessToken')), connection, places);
  print(`${fleet.length} agents of ${new Set(fleet.map(({ slug }) => slug)).size} organisations report; Ctrl-C ends`);
  const serving = fleet.map((one) => untilEnd(signal, print, () => one.agent.serve(signal)));
  let reported = 0;
  await untilEnd(signal, print, async () => {
    await reportOnce(fleet);
    reported++;
    await sleep(MIN_PAUSE_MS + Math.random() * (MAX_PAUSE_MS - MIN_PAUSE_MS), undefined, { signal });
  });
  await Promise.all(serving);
  return reported;
}

async function reportOnce(fleet: readonly LiveAgent[]): Promise<void> {
  const one = fleet[Math.floor(Math.random() * fleet.length)];
  await one?.agent.report(livePrompt(one.slug));
}

/** Repeats the work; after a failure, which a restart of the product explains, it goes on a little later. */
async function untilEnd(signal: AbortSignal, print: (line: string) => void, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
    } catch (error) {
      if (signal.aborted) return;
      print(`  ${error instanceof Error ? error.message : String(error)}; going on`);
      await sleep(AFTER_FAILURE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
