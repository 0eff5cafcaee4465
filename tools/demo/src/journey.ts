import type { SimulatedAgent } from '@gatehouse/agent-sim';
import { type Answer, at, type Body, type ProductClient, reasonIn } from './product-client.ts';
import type { Settings } from './settings.ts';
import { setTimeout as sleep } from 'node:timers/promises';

export interface StepOptions {
  /** Members of the answer to show, as dotted paths. */
  readonly shows?: readonly string[];
  /** A condition on the answer besides its status. */
  readonly holds?: (body: Body, answer: Answer) => boolean;
  /**
   * The step depends on a change that another service has just acknowledged. The request is repeated for the five
   * seconds within which changes reach all services.
   */
  readonly settles?: boolean;
}

const SETTLING_MS = 8000;
const PAUSE_MS = 250;
const WIDTH = 68;

/** A step failed; the message is for users. */
export class StepFailed extends Error {}

/** Runs steps, prints their answers, and stops at the first one that fails. */
export class Journey {
  #steps = 0;

  constructor(private readonly write: (line: string) => void) {}

  get steps(): number {
    return this.#steps;
  }

  chapter(title: string): void {
    this.write(`\n${title}`);
  }

  /** @throws StepFailed when the answer has another status than expected, or does not hold what it should */
  async step(title: string, status: number, call: () => Promise<Answer>, options: StepOptions = {}): Promise<Answer> {
    const isRight = (answer: Answer) => answer.status === status && (options.holds?.(answer.body, answer) ?? true);
    const answer = await settled(call, options.settles ? isRight : () => true).catch((error: unknown) =>
      this.fail(title, reasonOf(error)),
    );
    if (!isRight(answer)) {
      const expected = answer.status === status ? 'another answer' : `status ${status}`;
      return this.fail(title, `expected ${expected}, got ${answer.status} ${reasonIn(answer.body)}`);
    }
    const shown = (options.shows ?? []).map(
      (path) => `${path.split('.').at(-1) ?? path}=${brief(at(answer.body, path))}`,
    );
    this.pass(title, [String(status), ...shown].join('  '));
    return answer;
  }

  /**
   * A step that is not one request: `work` returns the text to print.
   * @throws StepFailed with the error of `work`
   */
  async check(title: string, work: () => Promise<string>): Promise<void> {
    try {
      this.pass(title, await work());
    } catch (error) {
      this.fail(title, reasonOf(error));
    }
  }

  private pass(title: string, outcome: string): void {
    this.#steps += 1;
    this.write(`  ✓ ${title.padEnd(WIDTH)} ${outcome}`);
  }

  private fail(title: string, why: string): never {
    this.write(`  ✗ ${title}\n      ${why}`);
    throw new StepFailed(title);
  }
}

/** Repeats a call until the answer is right or five seconds have passed; returns the last answer. */
export async function settled<Value>(ask: () => Promise<Value>, isRight: (value: Value) => boolean): Promise<Value> {
  const until = Date.now() + SETTLING_MS;
  for (;;) {
    const value = await ask();
    if (isRight(value) || Date.now() > until) return value;
    await sleep(PAUSE_MS);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function brief(value: unknown): string {
  const shown = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'absent');
  return shown.length > 60 ? `${shown.slice(0, 57)}…` : shown;
}

/** The state that all chapters share. */
export interface Tour {
  readonly journey: Journey;
  readonly settings: Settings;
  /** The client without a session. */
  readonly product: ProductClient;
  /** A suffix that makes the names of this run unique. */
  readonly run: string;
}

export interface Tenant {
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string;
}

export interface Device {
  readonly agent: SimulatedAgent;
  readonly deviceId: string;
}
