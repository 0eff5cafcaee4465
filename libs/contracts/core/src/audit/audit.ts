import type { AuditAction } from './audit-actions.ts';
import type { EventActor } from '../event.ts';

export type AuditResult = 'success' | 'failure' | 'denied';

export interface AuditResource {
  readonly type: string;
  readonly id: string | null;
  readonly name?: string | null;
}

/** An operation's description of its change; tenant, actor and origin come from the caller unless given. */
export interface AuditEntry {
  readonly action: AuditAction;
  readonly resource: AuditResource;
  readonly partnerId?: string | null;
  readonly orgId?: string | null;
  readonly siteId?: string | null;
  readonly actor?: EventActor;
  readonly result?: AuditResult;
  /** Names and facts, never secrets. `changedFields` holds names only. */
  readonly details?: Readonly<Record<string, unknown>>;
}

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
