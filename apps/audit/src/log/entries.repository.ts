import { AUDIT_ACTIONS, type TenantScope, withMailDomain } from '@gatehouse/contracts-core';
import { type Conditions, foldedPattern, type Reader, scoped } from '@gatehouse/database';
import { actorOf, type AuditLogEntry } from '../chain/link.ts';
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

/** The entries that one page looks through: the newest, behind the page before it. */
export interface Window {
  readonly after: PageEnd | null;
  readonly length: number;
}

/** A range of one chain: the entries after `after` up to `upTo`. */
export interface SequenceRange {
  readonly chain: string;
  readonly after: number;
  readonly upTo: number;
}

interface Row extends Omit<AuditLogEntry, 'timestamp' | 'actor' | 'resource' | 'clientRequestId'> {
  readonly clientRequestId: string | null;
  readonly timestamp: Date;
  readonly actorType: AuditLogEntry['actor']['type'];
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly actorLabel: string | null;
  readonly resourceType: string;
  readonly resourceId: string | null;
  readonly resourceName: string | null;
}

const SELECT = `
  SELECT id, sequence, timestamp, chain, partner_id, org_id, site_id, actor_type, actor_id, actor_name, actor_label,
         action, resource_type, resource_id, resource_name, result, details, ip, user_agent, request_id,
         client_request_id, previous_hash, hash
    FROM audit_entries`;
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
  actor: actorOf({ type: row.actorType, id: row.actorId, name: row.actorName, label: row.actorLabel }),
  action: row.action,
  resource: { type: row.resourceType, id: row.resourceId, name: row.resourceName },
  result: row.result,
  details: row.details,
  ip: row.ip,
  userAgent: row.userAgent,
  requestId: row.requestId,
  ...(row.clientRequestId !== null && { clientRequestId: row.clientRequestId }),
  previousHash: row.previousHash,
  hash: row.hash,
});

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** `pam.elevation.*` begins no action: it stands for those whose name goes on, such as `pam.elevation_request.deny`. */
function actionPattern(action: string): string {
  if (!action.endsWith('.*')) return escaped(action);
  const prefix = action.slice(0, -1);
  const isKnown = AUDIT_ACTIONS.some((known) => known.startsWith(prefix));
  return `${escaped(isKnown ? prefix : `${prefix.slice(0, -1)}_`)}%`;
}

const NEWEST_FIRST = 'ORDER BY timestamp DESC, id DESC';

/** The conditions that an index serves. */
const placed = (scope: TenantScope, filter: EntryFilter): Conditions =>
  scoped(scope, COLUMNS)
    .add('org_id = ANY (?::uuid[])', filter.orgIds)
    .add('resource_id = ?', filter.resourceId)
    .add('timestamp >= ?::timestamptz', filter.from)
    .add('timestamp < ?::timestamptz', filter.to);

function behind(conditions: Conditions, { after }: Window): Conditions {
  if (after === null) return conditions;
  const [timestamp, id] = [conditions.bind(after.timestamp), conditions.bind(after.id)];
  return conditions.raw(`(timestamp, id) < (${timestamp}::timestamptz, ${id}::uuid)`);
}

/** Whether the filter has conditions that each entry is compared with. */
export const isCompared = ({ actorId, actorType, action, resourceType, result, ...texts }: EntryFilter): boolean =>
  [actorId, actorType, action, resourceType, result, texts.search, texts.searchActions].some(
    (value) => value !== undefined,
  );

/** What a search reads of a request besides names: what was asked for, who asked, and what became of it at once. */
const TOLD = ['targetExecutablePath', 'toolName', 'requestedByName', 'subjectUsername', 'status'];
const SEARCHED = ['actor_name', 'actor_label', 'resource_name', ...TOLD.map((name) => `details->>'${name}'`)];

/**
 * Names that hold the text, with its mail domain in either spelling, or one of the actions that the client's sentences
 * say with it.
 */
function searched(conditions: Conditions, { search, searchActions }: EntryFilter): Conditions {
  const spellings = search === undefined ? [] : [search, withMailDomain(search)];
  const patterns = [...new Set(spellings.flatMap((text) => foldedPattern(text) ?? []))];
  if (patterns.length === 0) return conditions.add('action = ANY (?::text[])', searchActions);
  const [texts, actions] = [conditions.bind(patterns), conditions.bind(searchActions ?? [])];
  const names = SEARCHED.map((name) => `folded_name(${name}) LIKE ANY (${texts}::text[])`);
  return conditions.raw(`(action = ANY (${actions}::text[]) OR ${names.join(' OR ')})`);
}

/** Adds the conditions that each entry is compared with. */
const compared = (conditions: Conditions, filter: EntryFilter): Conditions =>
  searched(
    conditions
      .add('actor_id = ?', filter.actorId)
      .add('actor_type = ANY (?::text[])', filter.actorType)
      .add('action LIKE ANY (?::text[])', filter.action?.map(actionPattern))
      .add('resource_type = ?', filter.resourceType)
      .add('result = ?', filter.result),
    filter,
  );

/** Reads entries of the log; it never writes. */
export class EntriesRepository {
  async find(reader: Reader, id: string): Promise<AuditLogEntry | null> {
    const { where, parameters } = scoped(reader.caller.scope, COLUMNS).add('id = ?::uuid', id);
    const row = await reader.one<Row>(`${SELECT} ${where}`, parameters);
    return row && entryOf(row);
  }

  /**
   * Newest first. Entries that are compared one by one are looked for within a window, so that the cost of a page does
   * not grow with the log.
   */
  async newest(reader: Reader, filter: EntryFilter, window: Window, limit: number): Promise<AuditLogEntry[]> {
    const conditions = behind(placed(reader.caller.scope, filter), window);
    const most = limitTo(isCompared(filter) ? window.length : limit);
    const looked = `${SELECT} ${conditions.where} ${NEWEST_FIRST} ${most}`;
    const rows = await reader.query<Row>(
      `SELECT * FROM (${looked}) e ${compared(conditions, filter).where} ${NEWEST_FIRST} ${limitTo(limit)}`,
      conditions.parameters,
    );
    return rows.map(entryOf);
  }

  /** The last entry of a window; null when the log ends within it. */
  async endOf(reader: Reader, filter: EntryFilter, window: Window): Promise<PageEnd | null> {
    const conditions = behind(placed(reader.caller.scope, filter), window);
    const row = await reader.one<Pick<Row, 'id' | 'timestamp'>>(
      `SELECT timestamp, id FROM audit_entries ${conditions.where} ${NEWEST_FIRST} OFFSET ${window.length - 1} LIMIT 1`,
      conditions.parameters,
    );
    return row && { timestamp: row.timestamp.toISOString(), id: row.id };
  }

  /**
   * Entries in chain order. Both bounds are given, so that the cost does not depend on the length of the chain or the
   * position in it.
   */
  async stretch(reader: Reader, filter: EntryFilter, { chain, after, upTo }: SequenceRange): Promise<AuditLogEntry[]> {
    const conditions = compared(placed(reader.caller.scope, filter), filter)
      .add('chain = ?', chain)
      .add('sequence > ?', after)
      .add('sequence <= ?', upTo);
    const rows = await reader.query<Row>(`${SELECT} ${conditions.where} ORDER BY sequence`, conditions.parameters);
    return rows.map(entryOf);
  }
}
