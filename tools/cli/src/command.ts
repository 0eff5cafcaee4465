import type { Gatehouse, Tokens, TokenStore } from '@gatehouse/client';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { ParseArgsConfig } from 'node:util';
import { UsageError } from './exit-codes.ts';

/** Where a command reads and writes. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  out(text: string): void;
  error(text: string): void;
  /** The stream of results that are too large to keep. */
  readonly stdout: NodeJS.WritableStream;
  /**
   * Asks the user.
   * @throws UsageError if standard input is not a terminal
   */
  ask(question: string, options?: { readonly hidden?: boolean }): Promise<string>;
}

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/** The terminal of this process. */
export const processTerminal: Terminal = {
  env: process.env,
  out: (text) => void process.stdout.write(`${text}\n`),
  error: (text) => void process.stderr.write(`${text}\n`),
  stdout: process.stdout,
  ask: async (question, { hidden = false } = {}) => {
    if (!process.stdin.isTTY) throw new UsageError(`${question}: cannot prompt without a terminal`);
    process.stderr.write(`${question}: `);
    const lines = createInterface({
      input: process.stdin,
      output: hidden ? nowhere() : process.stderr,
      terminal: true,
    });
    const answer = await new Promise<string>((resolve) => lines.once('line', resolve));
    lines.close();
    if (hidden) process.stderr.write('\n');
    return answer.trim();
  },
};

type Environment = Readonly<Record<string, string | undefined>>;

const ONLY_OWNER = 0o600;
const ONLY_OWNER_ENTERS = 0o700;

interface Kept {
  readonly url: string;
  readonly tokens: Tokens;
}

/** The session of the last `gatehouse login`, in a file that only its owner may read. */
export class SessionFile {
  readonly path: string;

  /** @param env names the file: GATEHOUSE_SESSION, else below XDG_CONFIG_HOME or `~/.config` */
  constructor(env: Environment) {
    const config = env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config');
    this.path = env['GATEHOUSE_SESSION'] || join(config, 'gatehouse', 'session.json');
  }

  /** The session, or null when there is none. */
  read(): Kept | null {
    try {
      return JSON.parse(readFileSync(this.path, 'utf8')) as Kept;
    } catch {
      return null;
    }
  }

  write(kept: Kept | null): void {
    if (kept === null) return rmSync(this.path, { force: true });
    mkdirSync(dirname(this.path), { recursive: true, mode: ONLY_OWNER_ENTERS });
    // Made exclusively, under a name that cannot be foreseen: in a folder of others, a link there would be followed.
    const next = `${this.path}.${randomUUID()}`;
    writeFileSync(next, JSON.stringify(kept), { mode: ONLY_OWNER, flag: 'wx' });
    renameSync(next, this.path);
  }

  /** The tokens for one product. They are read anew each time, because another command may have renewed them. */
  tokensFor(url: string): TokenStore {
    return {
      read: () => {
        const kept = this.read();
        return kept?.url === url ? kept.tokens : null;
      },
      write: (tokens) => this.write(tokens && { url, tokens }),
    };
  }
}

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
