import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
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
    if (!process.stdin.isTTY) throw new UsageError(`${question}: there is no terminal to ask`);
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
