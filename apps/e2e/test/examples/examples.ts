import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Recorded } from '../audit/recorder.ts';
import { neutral } from './neutral.ts';

/** A request that was made and its answer, without what differs between runs. */
export interface Example {
  readonly request?: unknown;
  readonly status: number;
  readonly answer: unknown;
}
export type Examples = Readonly<Record<string, Example>>;

/** The generator of the contract (`tools/openapi`) takes the examples from here. */
const EXAMPLES_PATH = fileURLToPath(new URL('../../../../tools/openapi/examples.json', import.meta.url));

export const recordedExamples = (): Examples =>
  existsSync(EXAMPLES_PATH) ? (JSON.parse(readFileSync(EXAMPLES_PATH, 'utf8')) as Examples) : {};

/** Writes an example a line, so that a difference shows which of them changed. */
export function recordExamples(examples: Examples): void {
  const lines = Object.entries(examples).map(
    ([route, example]) => `  ${JSON.stringify(route)}: ${JSON.stringify(example)}`,
  );
  writeFileSync(EXAMPLES_PATH, `{\n${lines.join(',\n')}\n}\n`);
}

const FIRST_REDIRECT = 300;
const isExample = ({ status, answer }: Recorded): boolean => status < FIRST_REDIRECT && !('text' in answer);

/** The first successful call of each route, in the order of the routes. */
export function examplesOf(calls: readonly Recorded[]): Examples {
  const first = new Map<string, Example>();
  for (const call of calls.filter(isExample)) {
    if (first.has(call.route)) continue;
    const request = call.sent && { request: neutral(call.sent) };
    first.set(call.route, { ...request, status: call.status, answer: neutral(call.answer) });
  }
  return Object.fromEntries([...first].sort(([one], [other]) => (one < other ? -1 : 1)));
}
