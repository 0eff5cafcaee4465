import {
  type AuditEntry,
  type AuditRecord,
  type Caller,
  type EventActor,
  type EventEnvelope,
  type Operator,
  ProblemError,
  type SetupVisit,
} from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import type { PoolClient } from 'pg';

export interface OutboxRow {
  readonly id: string;
  readonly subject: string;
  readonly envelope: EventEnvelope;
}

const operatorOf = (caller: Caller): Operator | undefined => ('operator' in caller ? caller.operator : undefined);
const visitOf = (caller: Caller): SetupVisit | undefined => ('setupVisit' in caller ? caller.setupVisit : undefined);

/** The actor, as audit records and events name the caller. */
export function actorOf(caller: Caller): EventActor {
  const visit = visitOf(caller);
  if (visit) return { type: 'setup_link', id: visit.linkId, name: visit.recipient };
  if (caller.kind === 'user' || caller.kind === 'api_key') {
    const { kind: type, id, name, label } = caller;
    return label === null ? { type, id, name } : { type, id, name, label };
  }
  if (caller.kind === 'agent') return { type: 'agent', id: caller.deviceId, name: caller.hostname };
  const operator = operatorOf(caller);
  if (operator) return { type: 'system', id: null, name: operator.name, label: 'operator' };
  return { type: 'system', id: null, name: caller.kind === 'service' ? caller.id : null };
}

interface Message {
  readonly subject: string;
  readonly aggregateId: string;
  readonly data: object;
  readonly actor?: EventActor;
}

/** @param source the service that publishes the event */
export function outboxRow(source: string, caller: Caller, { subject, aggregateId, data, actor }: Message): OutboxRow {
  const id = newId();
  const envelope: EventEnvelope = {
    id,
    subject,
    source,
    aggregateId,
    data,
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
  const { partnerId, orgId } = 'partnerId' in caller ? caller : { partnerId: null, orgId: null };
  const named = Object.fromEntries(
    Object.entries({ partnerId: entry.partnerId, orgId: entry.orgId, siteId: entry.siteId }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  return { partnerId, orgId, siteId: caller.kind === 'agent' ? caller.siteId : null, ...named };
}

/** By what the caller acts: a set-up link, or an operator's ticket. */
function backgroundOf(caller: Caller): object {
  const visit = visitOf(caller);
  const ticket = operatorOf(caller)?.ticket;
  return { ...(visit && { setupLinkId: visit.linkId, visitId: visit.id }), ...(ticket && { ticket }) };
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
    details: { ...entry.details, ...backgroundOf(caller) },
    ip: caller.origin.ip,
    userAgent: caller.origin.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    requestId: caller.origin.requestId,
    ...(caller.origin.clientRequestId && { clientRequestId: caller.origin.clientRequestId }),
  };
  return outboxRow(source, caller, {
    subject: `audit.${source}`,
    aggregateId: data.partnerId ?? 'system',
    data,
    actor: data.actor,
  });
}

/**
 * A bundle is one row of the outbox, one message and one row in each consumer's inbox, so a thousand events do not cost
 * a thousand of each.
 */
export const MAX_BUNDLE_EVENTS = 200;
/** Characters; the broker takes a megabyte. */
export const MAX_BUNDLE_SIZE = 128 * 1024;

/** Limit for one event; the broker accepts a megabyte, including the headers. */
const MAX_FACT_BYTES = 1_000_000;
/** Characters. Even at three bytes each they fit into a message. */
const MAX_AUDIT_SIZE = 256 * 1024;
const MAX_ABRIDGED_NAME = 1_000;

/** A row of the outbox as it is stored. */
interface StoredRow {
  readonly id: string;
  readonly subject: string;
  readonly json: string;
}

interface OpenBundle {
  readonly first: OutboxRow;
  readonly texts: string[];
  size: number;
}

const closed = ({ first: { id, subject }, texts }: OpenBundle): StoredRow => {
  if (texts.length === 1) return { id, subject, json: texts[0] ?? '' };
  const bundleId = newId();
  return { id: bundleId, subject, json: `{"id":"${bundleId}","events":[${texts.join()}]}` };
};

/** An escaped NUL, not an escaped backslash before `u0000`. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/;

/** PostgreSQL would store the escape as text, but every consumer that stores the event as `jsonb` would fail. */
function requireStorable(text: string): string {
  if (text.includes('\\u0000') && NUL.test(text))
    throw new ProblemError(
      'validation_failed',
      'The request holds a NUL character: an unsupported Unicode escape sequence.',
      { issues: [] },
    );
  return text;
}

/** The audit record without details, which are too long to publish. */
function abridged(envelope: EventEnvelope<AuditRecord>): EventEnvelope {
  const { resource, ...data } = envelope.data;
  return {
    ...envelope,
    data: {
      ...data,
      resource: { ...resource, name: resource.name?.slice(0, MAX_ABRIDGED_NAME) ?? null },
      details: { truncated: true },
    },
  };
}

/**
 * Refuses an event that the broker would not accept, because it could never be published.
 * @throws Error for an event that is too large, so that the change it describes is rolled back
 */
function textOf({ subject, envelope }: OutboxRow): string {
  const whole = requireStorable(JSON.stringify(envelope));
  const text =
    whole.length > MAX_AUDIT_SIZE && subject.startsWith('audit.')
      ? JSON.stringify(abridged(envelope as EventEnvelope<AuditRecord>))
      : whole;
  const size = text.length > MAX_AUDIT_SIZE ? Buffer.byteLength(text) : 0;
  if (size > MAX_FACT_BYTES)
    throw new Error(`${subject} of ${envelope.aggregateId} has ${size} bytes; the broker takes ${MAX_FACT_BYTES}`);
  return text;
}

/** Bundles consecutive events of one subject into one row, which keeps the order of the transaction's events. */
function bundled(rows: readonly OutboxRow[]): StoredRow[] {
  const bundles: OpenBundle[] = [];
  for (const row of rows) {
    const text = textOf(row);
    const last = bundles.at(-1);
    if (
      last &&
      last.first.subject === row.subject &&
      last.texts.length < MAX_BUNDLE_EVENTS &&
      last.size + text.length <= MAX_BUNDLE_SIZE
    ) {
      last.texts.push(text);
      last.size += text.length;
    } else bundles.push({ first: row, texts: [text], size: text.length });
  }
  return bundles.map(closed);
}

/** @throws ProblemError validation_failed; Error when an event is too large to publish */
export function outboxParameters(rows: readonly OutboxRow[]): [string[], string[], string[]] {
  const stored = bundled(rows);
  return [stored.map(({ id }) => id), stored.map(({ subject }) => subject), stored.map(({ json }) => json)];
}

/** One INSERT for all events of a transaction; its parameters come from {@link outboxParameters}. */
export const OUTBOX_INSERT = `INSERT INTO outbox (id, subject, envelope) SELECT id, subject, envelope::json
    FROM unnest($1::uuid[], $2::text[], $3::text[]) AS fact(id, subject, envelope)`;

/** @throws ProblemError validation_failed; Error when an event is too large to publish */
export const insertOutbox = (client: PoolClient, rows: readonly OutboxRow[]): Promise<unknown> =>
  client.query({ name: 'outbox-insert', text: OUTBOX_INSERT, values: outboxParameters(rows) });
