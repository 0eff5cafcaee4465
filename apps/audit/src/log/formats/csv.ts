import type { AuditLogEntry } from '../../chain/link.ts';

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
