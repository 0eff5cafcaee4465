import { StreamableFile } from '@nestjs/common';
import type { Readable } from 'node:stream';

const TYPES = { jsonl: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' };

/** An export as a file, which a browser saves under a name of ours. */
export const fileOf = (entries: Readable, format: keyof typeof TYPES = 'jsonl'): StreamableFile =>
  new StreamableFile(entries, { type: TYPES[format], disposition: `attachment; filename="audit-log.${format}"` });
