import type { TenantScope } from '@gatehouse/contracts-core';
import { type Conditions, type Reader, scoped } from '@gatehouse/database';
import type { AuditLogEntry } from '../chain/link.ts';
import type { AuditLogFilter } from './audit-log.dto.ts';

/** A filter whose organisation is spelled out into those that were merged into it. */
export interface EntryFilter extends Omit<AuditLogFilter, 'orgId'> {
  readonly orgIds?: readonly string[];
  readonly chain?: string;
}

/** The last entry of a page, newest first. */
export interface PageEnd {
  readonly timestamp: string;
  readonly id: string;
}

/** The last entry of a part of the log in the order of its chains. */
export interface ChainPosition {
  readonly chain: string;
  readonly sequence: number;
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

const entryOf = (row: Row): AuditLogEntry => ({ ...row, timestamp: row.timestamp.toISOString() });

function narrowed(scope: TenantScope, filter: EntryFilter): Conditions {
  return scoped(scope, COLUMNS)
    .add('chain = ?', filter.chain)
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
    const rows = await reader.query<Row>(`${SELECT} ${conditions.where} ORDER BY timestamp DESC, id DESC LIMIT ${conditions.bind(limit)}`, conditions.parameters);
    return rows.map(entryOf);
  }

  /** In the order of their chains, after `after`. */
  async inOrder(reader: Reader, filter: EntryFilter, after: ChainPosition | null, limit: number): Promise<AuditLogEntry[]> {
    const conditions = narrowed(reader.caller.scope, filter);
    if (after) conditions.raw(`(chain, sequence) > (${conditions.bind(after.chain)}, ${conditions.bind(after.sequence)})`);
    const rows = await reader.query<Row>(`${SELECT} ${conditions.where} ORDER BY chain, sequence LIMIT ${conditions.bind(limit)}`, conditions.parameters);
    return rows.map(entryOf);
  }
}
