import { setTimeout as sleep } from 'node:timers/promises';
import { at, type Answer, type Body } from './product-client.ts';

export interface StepOptions {
  /** Members of the answer that are worth showing, as dotted paths. */
  readonly shows?: readonly string[];
  /** What must be true of the answer besides its status. */
  readonly holds?: (body: Body, answer: Answer) => boolean;
  /**
   * The step leans on what another service acknowledged a moment ago: until the product's five seconds have passed,
   * an answer that is not yet as it should be is asked for again.
   */
  readonly settles?: boolean;
}

const SETTLING_MS = 8000;
const PAUSE_MS = 250;
const WIDTH = 68;

/** A step was not as it should be; the message is for people. */
export class StepFailed extends Error {}

/** Walks through steps, tells what came back, and stops at the first that is not as it should be. */
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
      return this.fail(title, `expected ${expected}, got ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    const shown = (options.shows ?? []).map(
      (path) => `${path.split('.').at(-1) ?? path}=${brief(at(answer.body, path))}`,
    );
    this.pass(title, [String(status), ...shown].join('  '));
    return answer;
  }

  /** A step that is not one request: `work` tells what it saw. @throws StepFailed with what `work` threw */
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

/** Asks until the answer is right or the product's time to settle is over; the last answer counts. */
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
