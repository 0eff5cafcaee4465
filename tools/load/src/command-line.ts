/**
 * How long and how often a scenario measures. The defaults give figures to publish; smaller values only show that the
 * scenario works.
 */
export interface BenchOptions {
  /** Seconds of each measurement. */
  readonly seconds: number;
  /** The number of measurements; the median is the result. */
  readonly rounds: number;
  /** Rows of history of the queue scenario at its largest. */
  readonly history: number;
  /** Replicas of every service, each service behind a balancer; 0: the product as `npm start` runs it. */
  readonly replicas: number;
  /** Agents that wait; 0: 10, 20 and 30 thousand of them. */
  readonly agents: number;
  /** The version to compare with, a tag or a commit; empty: the one that `deploy/previous-release` names. */
  readonly before: string;
}

export type Scenario = (options: BenchOptions) => Promise<void>;

const DEFAULTS: BenchOptions = { seconds: 5, rounds: 3, history: 1_000_000, replicas: 0, agents: 0, before: '' };

/**
 * @param args `--seconds 2`, `--rounds 1`, `--history 50000`, `--replicas 2`, `--before v0.2.0` in any order
 * @throws Error that names what it cannot read
 */
export function readOptions(args: readonly string[]): BenchOptions {
  const options: Record<string, number | string> = { ...DEFAULTS };
  for (let at = 0; at < args.length; at += 2) {
    const name = args[at]?.replace(/^--/, '') ?? '';
    const text = args[at + 1] ?? '';
    const value = name === 'before' ? text : Number(text);
    if (
      !Object.hasOwn(DEFAULTS, name) ||
      (typeof value === 'string' ? value === '' : !(Number.isInteger(value) && value > 0))
    )
      throw new Error(`cannot read ${args[at]} ${text}`);
    options[name] = value;
  }
  return { ...DEFAULTS, ...options };
}

/** Runs `once` for each round, one after another. */
export async function repeated<T>(rounds: number, once: (round: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let round = 0; round < rounds; round++) results.push(await once(round));
  return results;
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
};

const columns = (rows: readonly (readonly string[])[]): number[] =>
  (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));

/** A table in plain text; the first row is its head. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = columns(rows);
  return rows
    .map((row) =>
      row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
    )
    .join('\n');
}

export const say = (text: string): boolean => process.stdout.write(`${text}\n`);
export const whole = (value: number): string => value.toFixed(0);
export const fine = (value: number): string => value.toFixed(2);
