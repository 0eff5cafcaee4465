import type { TenantScope } from '@gatehouse/contracts-core';
import { type Conditions, type Reader, scoped } from '@gatehouse/database';
import type { AuditLogEntry } from '../chain/link.ts';
import type { AuditLogFilter } from './audit-log.dto.ts';

/** A filter whose organisation is expanded to the organisations that were merged into it. */
export interface EntryFilter extends Omit<AuditLogFilter, 'orgId'> {
  readonly orgIds?: readonly string[];
}

/** The last entry of a page, newest first. */
export interface PageEnd {
  readonly timestamp: string;
  readonly id: string;
}

/** A range of one chain: the entries after `after` up to `upTo`. */
export interface Stretch {
  readonly chain: string;
  readonly after: number;
  readonly upTo: number;
}

interface Row extends Omit<AuditLogEntry, 'timestamp' | 'actor' | 'resource'> {
  readonly timestamp: Date;
  readonly actorType: AuditLogEntry['actor']['type'];
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly resourceType: string;
  readonly resourceId: string | null;
  readonly resourceName: string | null;
}

const SELECT = `SELECT id, sequence, timestamp, chain, partner_id, org_id, site_id, actor_type, actor_id, actor_name, action,
  resource_type, resource_id, resource_name, result, details, ip, user_agent, request_id, previous_hash, hash FROM audit_entries`;
const COLUMNS = { partner: 'partner_id', org: 'org_id', site: 'site_id' };

/** A literal, because with a parameter the planner expects a tenth of the table and sorts all of it. */
const limitTo = (limit: number): string => `LIMIT ${Math.trunc(limit)}`;

const entryOf = ({ id, sequence, timestamp, chain, partnerId, orgId, siteId, ...row }: Row): AuditLogEntry => ({
  id,
  sequence,
  timestamp: timestamp.toISOString(),
  chain,
  partnerId,
  orgId,
  siteId,
  actor: { type: row.actorType, id: row.actorId, name: row.actorName },
  action: row.action,
  resource: { type: row.resourceType, id: row.resourceId, name: row.resourceName },
  result: row.result,
  details: row.details,
  ip: row.ip,
  userAgent: row.userAgent,
  requestId: row.requestId,
  previousHash: row.previousHash,
  hash: row.hash,
});

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
const actionPattern = (action: string): string =>
  action.endsWith('.*') ? `${escaped(action.slice(0, -1))}%` : escaped(action);

function narrowed(scope: TenantScope, filter: EntryFilter): Conditions {
  return scoped(scope, COLUMNS)
    .add('org_id = ANY (?::uuid[])', filter.orgIds)
    .add('actor_id = ?', filter.actorId)
    .add('action LIKE ANY (?::text[])', filter.action?.map(actionPattern))
    .add('resource_type = ?', filter.resourceType)
    .add('resource_id = ?', filter.resourceId)
    .add('result = ?', filter.result)
    .add('(actor_name ILIKE ? OR resource_name ILIKE ?)', filter.search && `%${escaped(filter.search)}%`)
    .add('timestamp >= ?::timestamptz', filter.from)
    .add('timestamp < ?::timestamptz', filter.to);
}

/** Reads entries of the log; it never writes. */
export class EntriesRepository {
  async find(reader: Reader, id: string): Promise<AuditLogEntry | null> {
    const { where, parameters } = scoped(reader.caller.scope, COLUMNS).add('id = ?::uuid', id);
    const row = await reader.one<Row>(`${SELECT} ${where}`, parameters);
    return row && entryOf(row);
  }

  /** Newest first, after `after`. */
  async newest(reader: Reader, filter: EntryFilter, after: PageEnd | null, limit: number): Promise<AuditLogEntry[]> {
    const conditions = narrowed(reader.caller.scope, filter);
    if (after)
      conditions.raw(
        `(timestamp, id) < (${conditions.bind(after.timestamp)}::timestamptz, ${conditions.bind(after.id)}::uuid)`,
      );
    const rows = await reader.query<Row>(
      `${SELECT} ${conditions.where} ORDER BY timestamp DESC, id DESC ${limitTo(limit)}`,
      conditions.parameters,
    );
    return rows.map(entryOf);
  }

  /**
   * Entries in chain order. Both bounds are given, so that the cost does not depend on the length of the chain or the
   * position in it.
   */
  async stretch(reader: Reader, filter: EntryFilter, { chain, after, upTo }: Stretch): Promise<AuditLogEntry[]> {
    const conditions = narrowed(reader.caller.scope, filter)
      .add('chain = ?', chain)
      .add('sequence > ?', after)
      .add('sequence <= ?', upTo);
    const rows = await reader.query<Row>(`${SELECT} ${conditions.where} ORDER BY sequence`, conditions.parameters);
    return rows.map(entryOf);
  }
}
