import { StreamableFile } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { AuditLogEntry } from '../../chain/link.ts';

const TYPES = { jsonl: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' };

/** An export as a file, which a browser saves under a name of ours. */
export const fileOf = (entries: Readable, format: keyof typeof TYPES = 'jsonl'): StreamableFile =>
  new StreamableFile(entries, { type: TYPES[format], disposition: `attachment; filename="audit-log.${format}"` });

type Cell = string | number | null;

const COLUMNS: Readonly<Record<string, (entry: AuditLogEntry) => Cell>> = {
  id: ({ id }) => id,
  sequence: ({ sequence }) => sequence,
  timestamp: ({ timestamp }) => timestamp,
  chain: ({ chain }) => chain,
  partnerId: ({ partnerId }) => partnerId,
  orgId: ({ orgId }) => orgId,
  siteId: ({ siteId }) => siteId,
  actorType: ({ actor }) => actor.type,
  actorId: ({ actor }) => actor.id,
  actorName: ({ actor }) => actor.name,
  actorLabel: ({ actor }) => actor.label ?? null,
  action: ({ action }) => action,
  resourceType: ({ resource }) => resource.type,
  resourceId: ({ resource }) => resource.id,
  resourceName: ({ resource }) => resource.name,
  result: ({ result }) => result,
  details: ({ details }) => JSON.stringify(details),
  ip: ({ ip }) => ip,
  userAgent: ({ userAgent }) => userAgent,
  requestId: ({ requestId }) => requestId,
  clientRequestId: ({ clientRequestId }) => clientRequestId ?? null,
  previousHash: ({ previousHash }) => previousHash,
  hash: ({ hash }) => hash,
};

/** Spreadsheets interpret a cell that begins like this as a formula, some also in full width (OWASP, CSV injection). */
const FORMULA = /^\s*[=+\-@\t\r|%\uFF1D\uFF0B\uFF0D\uFF20]/;

function cellOf(value: Cell): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}

/** RFC 4180. */
export const csvHeader = (): string => `${Object.keys(COLUMNS).join(',')}\r\n`;
export const csvLine = (entry: AuditLogEntry): string =>
  `${Object.values(COLUMNS)
    .map((read) => cellOf(read(entry)))
    .join(',')}\r\n`;

/** Unicode line separators, which JSON allows inside strings. */
const LINE_SEPARATORS = /[\u0085\u2028\u2029]/g;

const escaped = (separator: string): string => `\\u${separator.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * A JSON value on one line, even for readers that split at any Unicode line separator; it parses to the same value.
 */
export const jsonLine = (value: unknown): string => `${JSON.stringify(value).replace(LINE_SEPARATORS, escaped)}\n`;
