import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { ChainReport, CheckpointFile, KeySet } from './chain-walk.ts';

import { verifyExport } from './verify-export.ts';

const USAGE = `usage: audit-verify --export audit-log.jsonl --checkpoints checkpoints.json [--checkpoints earlier.json …] [--keys jwks.json]

  --export       GET /api/v1/audit-logs/export?format=jsonl, of whole chains
  --checkpoints  GET /api/v1/audit-logs/checkpoints; earlier answers, kept elsewhere, show what was cut off since
  --keys         public keys that you keep yourself; without them those beside the checkpoints are trusted`;

function refuse(reason: string): never {
  process.stderr.write(`audit-verify: ${reason}\n\n${USAGE}\n`);
  process.exit(2);
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;

function sentence({ chain, length, coveredTo, firstBadSequence, reason }: ChainReport): string {
  if (firstBadSequence !== null) return `chain ${chain}: entry ${firstBadSequence} ${reason ?? ''}`;
  return `chain ${chain}: ${length} entries, valid, vouched for up to entry ${coveredTo}`;
}

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      export: { type: 'string' },
      checkpoints: { type: 'string', multiple: true },
      keys: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  if (!values.export || !values.checkpoints) throw new Error('--export and --checkpoints are needed');
  const lines = createInterface({ input: createReadStream(values.export), crlfDelay: Infinity });
  const [file, ...earlier] = values.checkpoints.map((path) => readJson<CheckpointFile>(path));
  if (!file) throw new Error('--checkpoints is needed');
  const reports = await verifyExport(lines, file, values.keys ? readJson<KeySet>(values.keys) : undefined, earlier);
  for (const report of reports) process.stdout.write(`${sentence(report)}\n`);
  return reports.every(({ firstBadSequence }) => firstBadSequence === null) ? 0 : 1;
}

process.exit(await run().catch((error: unknown) => refuse(error instanceof Error ? error.message : String(error))));
