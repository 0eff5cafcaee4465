import type { AuditAction, AuthorityAction, PlainAction } from './audit-actions.ts';
import type { EventActor } from '../event.ts';
import { isDeepStrictEqual } from 'node:util';

export type AuditResult = 'success' | 'failure' | 'denied';

export interface AuditResource {
  readonly type: string;
  readonly id: string | null;
  readonly name?: string | null;
}

/** What a change made of one field: null before it was made, and after it was deleted. */
export interface FieldChange {
  readonly before: unknown;
  readonly after: unknown;
}
export type Changes = Readonly<Record<string, FieldChange>>;

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/** The members of a stored object have an order of their own, and an instant has several spellings. */
const isSame = ({ before, after }: FieldChange): boolean =>
  before instanceof Date && typeof after === 'string'
    ? before.getTime() === Date.parse(after)
    : isDeepStrictEqual(asJson(before), asJson(after));

/**
 * The fields among those named that differ.
 * @param before null for something new
 * @param after null for something that is gone
 */
export function changesOf<T extends object>(before: T | null, after: T | null, fields: readonly string[]): Changes {
  const valueIn = (state: T | null, field: string): unknown =>
    (state && (Reflect.get(state, field) as unknown)) ?? null;
  const changes = fields.map(
    (field) => [field, { before: valueIn(before, field), after: valueIn(after, field) }] as const,
  );
  return Object.fromEntries(changes.filter(([, change]) => !isSame(change)));
}

/** What an update changed, for its audit entry; members that were sent with their present value are left out. */
export function changeDetails(
  before: object,
  after: object,
  updates: object,
): { readonly changedFields: readonly string[]; readonly changes: Changes } {
  const changes = changesOf(before, after, Object.keys(updates));
  return { changedFields: Object.keys(changes), changes };
}

/** A request that repeats what stands changes, records and publishes nothing (AUD-40). */
export const isUnchanged = (state: object, updates: object): boolean =>
  Object.keys(changesOf(state, { ...state, ...updates }, Object.keys(updates))).length === 0;

/** The thing that an act was about, and whose act it was: tenant and actor come from the caller unless given. */
export interface AuditSubject {
  readonly resource: AuditResource;
  readonly partnerId?: string | null;
  readonly orgId?: string | null;
  readonly siteId?: string | null;
  readonly actor?: EventActor;
}

/** Names and facts, never secrets. `changedFields` holds names only. */
type Details = Readonly<Record<string, unknown>>;

/** An operation's description of its change. What failed or was refused changed no field. */
export type AuditEntry = AuditSubject &
  (
    | { readonly action: PlainAction; readonly result?: AuditResult; readonly details?: Details }
    | { readonly action: AuditAction; readonly result: 'failure' | 'denied'; readonly details?: Details }
    | {
        readonly action: AuthorityAction;
        readonly result?: 'success';
        readonly details: Details & { readonly changes: Changes };
      }
  );

/** The record that is published on `audit.<service>` and appended to its chain (decisions, "Audit log"). */
export interface AuditRecord {
  readonly id: string;
  readonly timestamp: string;
  readonly partnerId: string | null;
  readonly orgId: string | null;
  readonly siteId: string | null;
  readonly actor: EventActor;
  readonly action: AuditAction;
  readonly resource: { readonly type: string; readonly id: string | null; readonly name: string | null };
  readonly result: AuditResult;
  readonly details: Readonly<Record<string, unknown>>;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  /** Absent when the client sent none. */
  readonly clientRequestId?: string;
}
