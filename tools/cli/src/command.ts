import type { Gatehouse } from '@gatehouse/client';
import type { ParseArgsConfig } from 'node:util';
import { UsageError } from './exit-codes.ts';
import type { SessionFile } from './session-file.ts';
import type { Terminal } from './terminal.ts';

/** What a command works with. */
export interface Context {
  readonly gatehouse: Gatehouse;
  readonly url: string;
  readonly session: SessionFile;
  readonly terminal: Terminal;
}

/** The options of one call by name. */
export type Options = Readonly<Record<string, string | boolean | undefined>>;

/** What a command prints: `json` with `--json`, else `text`. */
export interface Result {
  readonly json: unknown;
  readonly text: string;
  readonly exitCode?: number;
}

export interface Command {
  /** The words that name it: `requests approve`. */
  readonly name: string;
  readonly does: string;
  /** The arguments that must follow the name. */
  readonly takes?: readonly string[];
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  /** It works without a session. */
  readonly isOpen?: true;
  run(context: Context, args: readonly string[], options: Options): Promise<Result>;
}

export const textOption = { type: 'string' } as const;
export const flag = { type: 'boolean' } as const;

/** The text of an option; undefined if it was not given. */
export function optional(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** @throws UsageError without the option */
export function required(options: Options, name: string): string {
  const value = optional(options, name);
  if (value === undefined) throw new UsageError(`--${name} is missing`);
  return value;
}

/** @throws UsageError if the option is no whole number */
export function wholeNumber(options: Options, name: string): number | undefined {
  const value = optional(options, name);
  if (value === undefined) return undefined;
  if (!/^\d+$/.test(value)) throw new UsageError(`--${name} must be a whole number`);
  return Number(value);
}

/** @throws UsageError if the option is none of the values */
export function oneOf<const V extends string>(options: Options, name: string, values: readonly V[]): V | undefined {
  const value = optional(options, name);
  const found = values.find((one) => one === value);
  if (value !== undefined && found === undefined) throw new UsageError(`--${name} must be one of ${values.join(', ')}`);
  return found;
}

const CONTROL = /[\p{Cc}\p{Cf}]/gu;

/** Text from the server without characters that would move the cursor, colour the terminal or hide what follows. */
export const plain = (value: string): string => value.replaceAll(CONTROL, '\uFFFD');

/** A table in plain text. */
export function table(head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const cells = [head, ...rows.map((row) => row.map((value) => plain(String(value ?? '–'))))];
  const widths = head.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One line for each pair of a name and a value. */
export const facts = (pairs: readonly (readonly [string, string | number | null | undefined])[]): string =>
  table(
    ['', ''],
    pairs.flatMap(([name, value]) => (value === undefined || value === null ? [] : [[name, value]])),
  ).trimStart();
