import { type AuditEntry, type AuditRecord, type Caller, type EventActor, type EventEnvelope } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';

export interface OutboxRow {
  readonly id: string;
  readonly subject: string;
  readonly envelope: EventEnvelope;
}

/** Who did it, as audit and events name the caller. */
export function actorOf(caller: Caller): EventActor {
  if (caller.kind === 'user' || caller.kind === 'api_key') return { type: caller.kind, id: caller.id, name: caller.name };
  if (caller.kind === 'agent') return { type: 'agent', id: caller.deviceId, name: caller.hostname };
  return { type: 'system', id: null, name: caller.kind === 'service' ? caller.id : null };
}

interface Message {
  readonly subject: string;
  readonly aggregateId: string;
  readonly data: object;
  readonly actor?: EventActor;
}

/** @param source the service that states the fact */
export function outboxRow(source: string, caller: Caller, { subject, aggregateId, data, actor }: Message): OutboxRow {
  const id = newId();
  const envelope: EventEnvelope = {
    id, subject, source, aggregateId, data,
    occurredAt: new Date().toISOString(),
    actor: actor ?? actorOf(caller),
    traceparent: caller.origin.traceparent ?? null,
  };
  return { id, subject, envelope };
}

interface Tenant {
  readonly partnerId: string | null;
  readonly orgId: string | null;
  readonly siteId: string | null;
}

/** The tenant of a change: the caller's, unless the entry names another (also null). */
function tenantOf(caller: Caller, entry: AuditEntry): Tenant {
  const { partnerId, orgId } = caller.kind === 'service' || caller.kind === 'anonymous' ? { partnerId: null, orgId: null } : caller;
  const named = Object.fromEntries(Object.entries({ partnerId: entry.partnerId, orgId: entry.orgId, siteId: entry.siteId }).filter(([, value]) => value !== undefined));
  return { partnerId, orgId, siteId: null, ...named };
}

/** Longer texts would only bloat the log; what matters of a user agent stands in its beginning. */
const MAX_USER_AGENT = 400;

/** The audit record of a change: tenant, actor and origin are the caller's unless the entry names others. */
export function auditRow(source: string, caller: Caller, entry: AuditEntry): OutboxRow {
  const data: AuditRecord = {
    id: newId(),
    timestamp: new Date().toISOString(),
    ...tenantOf(caller, entry),
    actor: entry.actor ?? actorOf(caller),
    action: entry.action,
    resource: { type: entry.resource.type, id: entry.resource.id, name: entry.resource.name ?? null },
    result: entry.result ?? 'success',
    details: entry.details ?? {},
    ip: caller.origin.ip,
    userAgent: caller.origin.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    requestId: caller.origin.requestId,
  };
  return outboxRow(source, caller, { subject: `audit.${source}`, aggregateId: data.partnerId ?? 'system', data, actor: data.actor });
}

/** One statement for all rows of a transaction; the first parameter of {@link outboxParameters} goes with it. */
export const OUTBOX_INSERT = `
  INSERT INTO outbox (id, subject, envelope)
  SELECT (r.row->>'id')::uuid, r.row->>'subject', r.row->'envelope' FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r(row, position) ORDER BY r.position`;

export const outboxParameters = (rows: readonly OutboxRow[]): [string] => [JSON.stringify(rows)];
