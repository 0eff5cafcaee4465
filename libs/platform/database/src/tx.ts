import type { AuditEntry, Caller, EventActor, EventType } from '@gatehouse/contracts-core';
import { createHash } from 'node:crypto';
import type { PoolClient, QueryArrayConfig, QueryArrayResult } from 'pg';
import type { EntityManager } from 'typeorm';
import { toCamel } from './connections/data-source.ts';
import { inOwnTransaction } from './connections/transaction-settings.ts';
import { auditRow, outboxRow, type OutboxRow } from './outbox.repository.ts';

type Row = Record<string, unknown>;
export type SqlParameter =
  string | number | boolean | Date | null | undefined | Buffer | readonly string[] | readonly number[] | object;

const statementNames = new Map<string, string>();
/** Names a prepared statement: the same text always gets the same name, so each connection prepares it once. */
function nameOf(sql: string): string {
  const known = statementNames.get(sql);
  if (known) return known;
  const name = createHash('sha256').update(sql).digest('base64url').slice(0, 32);
  statementNames.set(sql, name);
  return name;
}

/** A transaction that can read: rows come back in camelCase, within the caller's tenant context. */
export class Reader {
  constructor(
    readonly caller: Caller,
    protected readonly client: PoolClient,
    /** TypeORM on the same connection and transaction, for entities. */
    readonly manager: EntityManager,
  ) {}

  /** @param sql a constant text: its values go into `parameters`, so that the server plans each statement once */
  query<T extends object = Row>(sql: string, parameters: readonly SqlParameter[] = []): Promise<T[]> {
    return this.rowsOf({ name: nameOf(sql), text: sql, values: [...parameters], rowMode: 'array' });
  }

  /**
   * Like {@link query}, but planned for these parameter values: for lists, whose best index depends on the caller's
   * reach.
   */
  queryAfresh<T extends object = Row>(sql: string, parameters: readonly SqlParameter[] = []): Promise<T[]> {
    return this.rowsOf({ text: sql, values: [...parameters], rowMode: 'array' });
  }

  /** The first row, or null when there is none. */
  async one<T extends object = Row>(sql: string, parameters: readonly SqlParameter[] = []): Promise<T | null> {
    const [row] = await this.query<T>(sql, parameters);
    return row ?? null;
  }

  private async rowsOf<T extends object>(statement: QueryArrayConfig): Promise<T[]> {
    const result: QueryArrayResult = await this.client.query(statement);
    const names = result.fields.map((column) => toCamel(column.name));
    return result.rows.map((values) => Object.fromEntries(names.map((name, at) => [name, values[at] as unknown])) as T);
  }
}

/** A single statement that is its own transaction. */
export class AutocommitStatement extends Reader {
  private used = false;

  /** @param begin opens the transaction behind a pooler; null: the session carries the settings, no brackets needed */
  constructor(
    caller: Caller,
    client: PoolClient,
    manager: EntityManager,
    private readonly begin: string | null,
  ) {
    super(caller, client, manager);
  }

  override query<T extends object = Row>(sql: string, parameters: readonly SqlParameter[] = []): Promise<T[]> {
    if (this.used) return Promise.reject(new Error('this transaction has had its one statement'));
    this.used = true;
    const statement = (): Promise<T[]> => super.query<T>(sql, parameters);
    return this.begin === null ? statement() : inOwnTransaction(this.client, this.begin, statement);
  }
}

export interface Emission {
  /** The aggregate of the event; events of one aggregate keep the order of their commits. */
  readonly aggregateId: string;
  readonly actor?: EventActor;
}

/** A transaction that can write. Its audit records and events are published if, and only if, the change commits. */
export class Tx extends Reader {
  private readonly rows: OutboxRow[] = [];
  private cause: string | null = null;

  constructor(
    private readonly source: string,
    caller: Caller,
    client: PoolClient,
    manager: EntityManager,
  ) {
    super(caller, client, manager);
  }

  /**
   * Events emitted from here on belong to the trace of this event, not to the caller's.
   * @param traceparent null: the caller's trace again
   */
  causedBy(traceparent: string | null): void {
    this.cause = traceparent;
  }

  audit(entry: AuditEntry): void {
    this.rows.push(auditRow(this.source, this.stater, entry));
  }

  emit<T extends object>(event: EventType<T>, data: T, { aggregateId, actor }: Emission): void {
    this.rows.push(outboxRow(this.source, this.stater, { subject: event.subject, aggregateId, data, actor }));
  }

  private get stater(): Caller {
    return this.cause === null
      ? this.caller
      : { ...this.caller, origin: { ...this.caller.origin, traceparent: this.cause } };
  }

  get pendingOutbox(): readonly OutboxRow[] {
    return this.rows;
  }
}
