import type { TenantScope } from '@gatehouse/contracts-core';
import { type Conditions, type Reader, scoped } from '@gatehouse/database';
import type { AuditLogEntry } from '../chain/link.ts';
import type { AuditLogFilter } from './audit-log.dto.ts';

/** A filter whose organisation is spelled out into those that were merged into it. */
export interface EntryFilter extends Omit<AuditLogFilter, 'orgId'> {
  readonly orgIds?: readonly string[];
}

/** The last entry of a page, newest first. */
export interface PageEnd {
  readonly timestamp: string;
  readonly id: string;
}

/** A stretch of one chain: the entries after `after` up to `upTo`. */
export interface Stretch {
  readonly chain: string;
  readonly after: number;
  readonly upTo: number;
}

interface Row {
  readonly id: string;
  readonly sequence: number;
  readonly timestamp: Date;
  readonly chain: string;
  readonly partnerId: string | null;
  readonly orgId: string | null;
  readonly siteId: string | null;
  readonly actor: AuditLogEntry['actor'];
  readonly action: AuditLogEntry['action'];
  readonly resource: AuditLogEntry['resource'];
  readonly result: AuditLogEntry['result'];
  readonly details: AuditLogEntry['details'];
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  readonly previousHash: string;
  readonly hash: string;
}

const SELECT = `SELECT id, sequence, timestamp, chain, partner_id, org_id, site_id,
  jsonb_build_object('type', actor_type, 'id', actor_id, 'name', actor_name) AS actor, action,
  jsonb_build_object('type', resource_type, 'id', resource_id, 'name', resource_name) AS resource, result, details, ip, user_agent, request_id, previous_hash, hash
  FROM audit_entries`;
const COLUMNS = { partner: 'partner_id', org: 'org_id', site: 'site_id' };

/** Written out, because a plan that does not know the number prepares for a tenth of the table and sorts it all. */
const limitTo = (limit: number): string => `LIMIT ${Math.trunc(limit)}`;

const entryOf = (row: Row): AuditLogEntry => ({ ...row, timestamp: row.timestamp.toISOString() });

function narrowed(scope: TenantScope, filter: EntryFilter): Conditions {
  return scoped(scope, COLUMNS)
    .add('org_id = ANY (?::uuid[])', filter.orgIds)
    .add('actor_id = ?', filter.actorId)
    .add('action = ?', filter.action)
    .add('resource_type = ?', filter.resourceType)
    .add('resource_id = ?', filter.resourceId)
    .add('result = ?', filter.result)
    .add('timestamp >= ?::timestamptz', filter.from)
    .add('timestamp < ?::timestamptz', filter.to);
}

/** Reads of the log; nothing here writes. */
export class EntriesRepository {
  /** Newest first, after `after`. */
  async newest(reader: Reader, filter: EntryFilter, after: PageEnd | null, limit: number): Promise<AuditLogEntry[]> {
    const conditions = narrowed(reader.caller.scope, filter);
    if (after) conditions.raw(`(timestamp, id) < (${conditions.bind(after.timestamp)}::timestamptz, ${conditions.bind(after.id)}::uuid)`);
    const rows = await reader.query<Row>(`${SELECT} ${conditions.where} ORDER BY timestamp DESC, id DESC ${limitTo(limit)}`, conditions.parameters);
    return rows.map(entryOf);
  }

  /** In the order of the chain. Bounded on both sides, so that it costs the same wherever in a chain of any length it is. */
  async stretch(reader: Reader, filter: EntryFilter, { chain, after, upTo }: Stretch): Promise<AuditLogEntry[]> {
    const conditions = narrowed(reader.caller.scope, filter).add('chain = ?', chain).add('sequence > ?', after).add('sequence <= ?', upTo);
    const rows = await reader.query<Row>(`${SELECT} ${conditions.where} ORDER BY sequence`, conditions.parameters);
    return rows.map(entryOf);
  }
}
