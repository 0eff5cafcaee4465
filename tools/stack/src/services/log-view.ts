import { createWriteStream, existsSync, mkdirSync, renameSync, statSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';

const NAME_WIDTH = 11;
const VALUE_LENGTH = 160;
const ROTATE_BYTES = 20 * 1024 * 1024;
const LEVEL_NAMES: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
const LEVEL_COLOURS: Readonly<Record<string, number>> = { warn: 33, error: 31, fatal: 31, debug: 90, trace: 90 };
const SERVICE_COLOURS = [36, 32, 35, 34, 96, 92, 95, 94];
/** Members that are in the line already, or do not help a reader. */
const LEFT_OUT = new Set(['level', 'time', 'msg', 'message', 'service', 'pid', 'hostname', 'stack']);

const hasColours = process.stdout.isTTY && !process.env['NO_COLOR'];
const paint = (colour: number, text: string): string => (hasColours ? `\u001b[${colour}m${text}\u001b[0m` : text);

function parsed(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

const shorten = (text: string): string => (text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH)}…` : text);

/** One level of nesting is flattened (`req.method`), since that is where loggers put what one wants to see. */
function fields(record: Record<string, unknown>, prefix = ''): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    if (LEFT_OUT.has(name) && !(prefix !== '' && name === 'message')) return [];
    if (value === null || value === undefined) return [];
    if (typeof value !== 'object') return [`${prefix}${name}=${shorten(String(value))}`];
    if (Array.isArray(value) || prefix !== '') return [`${prefix}${name}=${shorten(JSON.stringify(value))}`];
    return fields(value as Record<string, unknown>, `${name}.`);
  });
}

function levelOf({ level }: Record<string, unknown>): string {
  return typeof level === 'number' ? (LEVEL_NAMES[level] ?? String(level)) : String(level ?? 'info');
}

/** One readable line for one line of a service's output: JSON as pino writes it, or plain text as it is. */
export function readable(service: string, line: string, time: Date): string {
  const colour =
    SERVICE_COLOURS[[...service].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % SERVICE_COLOURS.length] ?? 36;
  const head = `${paint(90, time.toISOString().slice(11, 23))} ${paint(colour, service.padEnd(NAME_WIDTH))}`;
  const record = parsed(line);
  if (record === undefined) return `${head} ${line}`;
  const level = levelOf(record);
  const message = String(record['message'] ?? record['msg'] ?? '');
  const shownLevel = paint(LEVEL_COLOURS[level] ?? 39, level.toUpperCase().padEnd(5));
  return [`${head} ${shownLevel} ${message}`, ...fields(record).map((field) => paint(90, field))].join(' ');
}

/** Where a service's whole output is kept; the file before is kept once. */
function logFileOf(stack: string, service: string): string {
  const directory = join(stack, 'logs');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, `${service}.log`);
  if (existsSync(file) && statSync(file).size > ROTATE_BYTES) renameSync(file, `${file}.1`);
  return file;
}

/** Cuts a stream of output into lines. */
export class Lines {
  private rest = '';

  constructor(private readonly each: (line: string) => void) {}

  push(chunk: string): void {
    const lines = (this.rest + chunk).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') this.each(line);
  }
}

/** The line of a plain-text error that has the message, without the stack around it. */
const SAYS_WHY = /^(\w*Error\b|\S+ cannot start: )/;

/** Shows a line and keeps it. */
export class LogView {
  private readonly file: WriteStream;
  /** The reason why the service ended, from its output. */
  lastComplaint = '';

  constructor(
    private readonly service: string,
    stack: string,
  ) {
    this.file = createWriteStream(logFileOf(stack, service), { flags: 'a', mode: 0o600 });
  }

  write(line: string): void {
    this.file.write(`${line}\n`);
    process.stdout.write(`${readable(this.service, line, new Date())}\n`);
    const record = parsed(line);
    if (record === undefined)
      this.lastComplaint = SAYS_WHY.test(line) || this.lastComplaint === '' ? line : this.lastComplaint;
    else if (['error', 'fatal'].includes(levelOf(record)))
      this.lastComplaint = String(record['message'] ?? record['msg'] ?? '');
  }
}
