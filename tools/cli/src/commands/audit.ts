import { type ChainReport, type CheckpointFile, type KeySet, verifyExport } from '@gatehouse/audit-verify';
import { ok } from '@gatehouse/client';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { type Command, oneOf, optional, required, type Result, textOption } from '../command.ts';
import { EXIT, messageOf, UsageError } from '../exit-codes.ts';
import { openFile, readJson, writeText } from '../files.ts';

const exportLog: Command = {
  name: 'audit export',
  does: 'exports the audit log to standard output or a file',
  options: {
    format: textOption,
    chain: textOption,
    org: textOption,
    from: textOption,
    to: textOption,
    file: textOption,
  },
  run: async ({ gatehouse, terminal }, _, options) => {
    const query = {
      format: oneOf(options, 'format', ['jsonl', 'csv']),
      chain: optional(options, 'chain'),
      orgId: optional(options, 'org'),
      from: optional(options, 'from'),
      to: optional(options, 'to'),
    };
    const body = await ok(gatehouse.GET('/audit-logs/export', { params: { query }, parseAs: 'stream' }));
    const file = optional(options, 'file');
    const target = file === undefined ? terminal.stdout : (await openFile(file, 'w')).createWriteStream();
    await pipeline(Readable.fromWeb(body as ReadableStream), target, { end: file !== undefined });
    return { json: file === undefined ? undefined : { file }, text: file === undefined ? '' : `written to ${file}` };
  },
};

const checkpoints: Command = {
  name: 'audit checkpoints',
  does: 'shows the signed checkpoints, or writes them to a file',
  options: { chain: textOption, file: textOption },
  run: async ({ gatehouse }, _, options) => {
    const query = { chain: optional(options, 'chain') };
    const answer = await ok(gatehouse.GET('/audit-logs/checkpoints', { params: { query } }));
    const file = optional(options, 'file');
    if (file === undefined) return { json: answer, text: JSON.stringify(answer, null, 2) };
    writeText(file, JSON.stringify(answer));
    return { json: { file, checkpoints: answer.data.length }, text: `${answer.data.length} checkpoints in ${file}` };
  },
};

const verdict = (isValid: boolean, json: unknown, text: string): Result => ({
  json,
  text,
  exitCode: isValid ? EXIT.done : EXIT.notValid,
});

const lineOf = ({ chain, length, coveredTo, firstBadSequence, reason }: ChainReport): string =>
  firstBadSequence === null
    ? `chain ${chain}: ${length} entries, valid, covered by checkpoints up to entry ${coveredTo}`
    : `chain ${chain}: entry ${firstBadSequence} ${reason ?? ''}`;

async function verifyFiles(file: string, checkpointFile: string, keyFile: string | undefined): Promise<Result> {
  const known = readJson<CheckpointFile>(checkpointFile);
  const keys = keyFile === undefined ? undefined : readJson<KeySet>(keyFile);
  const exported = await openFile(file, 'r');
  const reports = await verifyExport(exported.readLines(), known, keys).catch((error: unknown) => {
    throw new UsageError(messageOf(error));
  });
  const isValid = reports.every(({ firstBadSequence }) => firstBadSequence === null);
  return verdict(isValid, { valid: isValid, chains: reports }, reports.map(lineOf).join('\n'));
}

const verify: Command = {
  name: 'audit verify',
  does: 'verifies a chain on the server, or an export locally with --file and --checkpoints, fetched before it',
  options: { chain: textOption, file: textOption, checkpoints: textOption, keys: textOption },
  isOpen: true,
  run: async ({ gatehouse }, _, options) => {
    const file = optional(options, 'file');
    if (file !== undefined) return verifyFiles(file, required(options, 'checkpoints'), optional(options, 'keys'));
    const query = { chain: optional(options, 'chain') };
    const answer = await ok(gatehouse.GET('/audit-logs/verify', { params: { query } }));
    const { valid, chain, length, firstBadSequence } = answer;
    if (valid === undefined)
      return {
        json: answer,
        text: `chain ${chain}: its published checkpoint cannot be reached`,
        exitCode: EXIT.tryLater,
      };
    const text = valid ? `${length} entries, valid` : `entry ${firstBadSequence ?? '?'} is not as it was written`;
    return verdict(valid, answer, `chain ${chain}: ${text}`);
  },
};

export const AUDIT_COMMANDS: readonly Command[] = [exportLog, checkpoints, verify];
