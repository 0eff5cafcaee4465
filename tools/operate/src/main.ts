import { parseArgs } from 'node:util';
import { admitAdministrator, republish, SIMPLE_COMMANDS } from './simple-commands.ts';
import { backup } from './backup/backup.ts';
import { restoreOrganization } from './backup/restore-organization.ts';
import { restore } from './backup/restore.ts';
import { verifyBackup } from './backup/verify-backup.ts';
import { type Command, doorOf, OPERATOR_OPTIONS, type Options } from './command.ts';
import { DEAD_LETTER_COMMANDS } from './dead-letters.ts';
import { reseal } from './reseal.ts';

const COMMANDS: readonly Command[] = [
  ...SIMPLE_COMMANDS,
  admitAdministrator,
  reseal,
  ...DEAD_LETTER_COMMANDS,
  republish,
  backup,
  restore,
  verifyBackup,
  restoreOrganization,
];

const synopsis = ({ name, options = {} }: Command): string =>
  [name, ...Object.entries(options).map(([option, { type }]) => `[--${option}${type === 'string' ? ' …' : ''}]`)].join(
    ' ',
  );
const described = (command: Command): string => `  ${synopsis(command)}\n      ${command.does}`;
const SUMMARY = `usage: npm run operate -- <command> [--as <person>] [--ticket …]
In a container, give the arguments alone.`;
const USAGE = [SUMMARY, ...COMMANDS.map(described)].join('\n');
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The command line cannot be understood. */
class UsageError extends Error {}

function chosen(args: readonly string[]): { command: Command; rest: string[] } {
  const options = args.findIndex((word) => word.startsWith('--'));
  const words = options === -1 ? args : args.slice(0, options);
  const command = COMMANDS.find(({ name }) => name === words.join(' '));
  if (!command) throw new UsageError(USAGE);
  return { command, rest: args.slice(words.length) };
}

function optionsOf(command: Command, rest: string[]): Options {
  try {
    return parseArgs({ args: rest, options: { ...command.options, ...OPERATOR_OPTIONS } }).values;
  } catch (error) {
    throw new UsageError(`${messageOf(error)}\n${SUMMARY}\n${described(command)}`, { cause: error });
  }
}

async function perform(args: readonly string[]): Promise<number> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  if (args.includes('--help')) {
    say(USAGE);
    return 0;
  }
  const { command, rest } = chosen(args);
  const options = optionsOf(command, rest);
  return command.run(doorOf(process.env, options), options, say, process.env);
}

perform(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exit(error instanceof UsageError ? 2 : 1);
  },
);
