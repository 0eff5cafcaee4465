import { createGatehouse, type GatehouseOptions } from '@gatehouse/client';
import { parseArgs } from 'node:util';
import {
  type Command,
  type Context,
  optional,
  type Options,
  type Result,
  SessionFile,
  type Terminal,
} from './command.ts';
import { AUDIT_COMMANDS } from './commands/audit.ts';
import { DEVICE_COMMANDS, KEY_COMMANDS } from './commands/devices.ts';
import { FREEZE_COMMANDS } from './commands/freezes.ts';
import { ORGANIZATION_COMMANDS } from './commands/organizations.ts';
import { PROVIDER_COMMANDS } from './commands/providers.ts';
import { REQUEST_COMMANDS } from './commands/requests.ts';
import { RULE_COMMANDS } from './commands/rules.ts';
import { SESSION_COMMANDS } from './commands/session.ts';
import { SIGN_IN_COMMANDS } from './commands/sign-ins.ts';
import { errorRecord, EXIT, exitCodeOf, messageOf, NotSignedIn, UsageError } from './exit-codes.ts';

const COMMANDS: readonly Command[] = [
  ...SESSION_COMMANDS,
  ...REQUEST_COMMANDS,
  ...RULE_COMMANDS,
  ...FREEZE_COMMANDS,
  ...ORGANIZATION_COMMANDS,
  ...KEY_COMMANDS,
  ...DEVICE_COMMANDS,
  ...AUDIT_COMMANDS,
  ...SIGN_IN_COMMANDS,
  ...PROVIDER_COMMANDS,
];

/** The options of every command. */
const SHARED = {
  json: { type: 'boolean' },
  url: { type: 'string' },
  code: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;
const DEFAULT_URL = 'http://localhost:3000';

function synopsis({ name, takes = [], options = {} }: Command): string {
  const words = takes.map((argument) => `<${argument}>`);
  const named = Object.entries(options).map(([option, { type }]) => `[--${option}${type === 'string' ? ' …' : ''}]`);
  return [name, ...words, ...named].join(' ');
}

export const USAGE = [
  'usage: gatehouse <command> [--json] [--url …] [--code …]',
  ...COMMANDS.map((command) => `  ${synopsis(command)}\n      ${command.does}`),
  '',
  '--code: a second-factor code, for commands that require one. --url or GATEHOUSE_URL: the address of Gatehouse.',
  'GATEHOUSE_API_KEY signs in with an API key instead of a session.',
].join('\n');

interface Call {
  readonly command: Command;
  readonly args: readonly string[];
  readonly options: Options;
}

/** @throws UsageError for an unknown command or option, and for missing arguments */
function parse(argv: readonly string[]): Call {
  const named = COMMANDS.find(({ name }) => name.split(' ').every((word, at) => argv[at] === word));
  if (!named) throw new UsageError(argv.length === 0 ? USAGE : `unknown command\n\n${USAGE}`);
  const rest = argv.slice(named.name.split(' ').length);
  try {
    const { values, positionals } = parseArgs({
      args: [...rest],
      options: { ...named.options, ...SHARED },
      allowPositionals: true,
    });
    if (!values.help && positionals.length !== (named.takes ?? []).length)
      throw new UsageError(`usage: gatehouse ${synopsis(named)}`);
    return { command: named, args: positionals, options: values as Options };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${messageOf(error)}\nusage: gatehouse ${synopsis(named)}`);
  }
}

function contextOf(options: Options, terminal: Terminal, fetch: GatehouseOptions['fetch']): Context {
  const session = new SessionFile(terminal.env);
  const url = optional(options, 'url') ?? (terminal.env['GATEHOUSE_URL'] || session.read()?.url) ?? DEFAULT_URL;
  if (!/^https?:/i.test(url) || !URL.canParse(url)) throw new UsageError(`${url} is not an http or https address`);
  const code = optional(options, 'code');
  const gatehouse = createGatehouse({
    baseUrl: url,
    apiKey: terminal.env['GATEHOUSE_API_KEY'] || undefined,
    tokens: session.tokensFor(url),
    secondFactor: async () => code ?? (await terminal.ask('Second-factor code')),
    ...(fetch && { fetch }),
  });
  return { gatehouse, url, session, terminal };
}

async function perform({ command, args, options }: Call, terminal: Terminal, fetch: GatehouseOptions['fetch']) {
  if (options['help'] === true) {
    const text = `gatehouse ${synopsis(command)}\n    ${command.does}`;
    return { json: { usage: text }, text };
  }
  const context = contextOf(options, terminal, fetch);
  const isSignedIn = terminal.env['GATEHOUSE_API_KEY'] || context.session.read()?.url === context.url;
  if (!command.isOpen && !isSignedIn)
    throw new NotSignedIn(`Not signed in to ${context.url}: run gatehouse login, or set GATEHOUSE_API_KEY.`);
  return command.run(context, args, options);
}

function print({ json, text }: Result, asJson: boolean, terminal: Terminal): void {
  if (asJson && json !== undefined) terminal.out(JSON.stringify(json));
  if (!asJson && text !== '') terminal.out(text);
}

/**
 * Runs one call of the command line.
 * @param fetch replaces the platform's, in tests
 * @returns the exit code
 */
export async function run(
  argv: readonly string[],
  terminal: Terminal,
  fetch?: GatehouseOptions['fetch'],
): Promise<number> {
  const asJson = argv.includes('--json');
  try {
    if (argv[0] === 'help' || argv[0] === '--help') {
      terminal.out(USAGE);
      return EXIT.done;
    }
    const result = await perform(parse(argv), terminal, fetch);
    print(result, asJson, terminal);
    return result.exitCode ?? EXIT.done;
  } catch (error) {
    terminal.error(asJson ? JSON.stringify(errorRecord(error)) : messageOf(error));
    return exitCodeOf(error);
  }
}
