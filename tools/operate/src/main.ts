import { parseArgs } from 'node:util';
import { admitAdministrator, republish, SIMPLE_COMMANDS } from './simple-commands.ts';
import { backup } from './backup/backup.ts';
import { restoreOrganization } from './backup/restore-organization.ts';
import { restore } from './backup/restore.ts';
import { verifyBackup } from './backup/verify-backup.ts';
import { type Command, doorOf, OPERATOR_OPTIONS } from './command.ts';
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
const usage = [
  'usage: npm run operate -- <command> [--as <person>] [--ticket …], in a container the arguments alone',
  ...COMMANDS.map((command) => `  ${synopsis(command)}\n      ${command.does}`),
].join('\n');

function chosen(args: readonly string[]): { command: Command; rest: string[] } {
  const options = args.findIndex((word) => word.startsWith('--'));
  const words = options === -1 ? args : args.slice(0, options);
  const command = COMMANDS.find(({ name }) => name === words.join(' '));
  if (!command) throw new Error(usage);
  return { command, rest: args.slice(words.length) };
}

async function perform(args: readonly string[]): Promise<number> {
  const { command, rest } = chosen(args);
  const { values } = parseArgs({ args: rest, options: { ...command.options, ...OPERATOR_OPTIONS } });
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  return command.run(doorOf(process.env, values), values, say, process.env);
}

try {
  process.exitCode = await perform(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
