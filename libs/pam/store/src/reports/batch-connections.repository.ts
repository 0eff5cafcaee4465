import type { TenantScope } from '@gatehouse/contracts-core';
import { beginWith, contextSettings, inOwnTransaction, type RequestConnections } from '@gatehouse/database';
import pg from 'pg';

/** Runs one statement, which is a transaction by itself. */
export type RunStatement = <R extends object>(statement: pg.QueryConfig) => Promise<pg.QueryResult<R>>;

/** With a generic plan, because planning the same statement again costs more than running a batch. */
const settingsOf = (scope: TenantScope): Readonly<Record<string, string>> => ({
  ...contextSettings(scope),
  plan_cache_mode: 'force_generic_plan',
});

/**
 * Connections for statements that span tenants. Their tenant context is set once when they are opened, and nothing else
 * runs on them; behind a pooler each statement sets it in its own transaction.
 */
export class BatchConnections {
  private readonly idle: pg.PoolClient[] = [];

  constructor(private readonly connections: RequestConnections) {}

  async run<T>(scope: TenantScope, work: (query: RunStatement) => Promise<T>): Promise<T> {
    const client = this.idle.pop() ?? (await this.open(scope));
    try {
      const result = await work(this.runnerOn(client, scope));
      this.idle.push(client);
      return result;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  close(): void {
    for (const client of this.idle.splice(0)) client.release(true);
  }

  private runnerOn(client: pg.PoolClient, scope: TenantScope): RunStatement {
    const { transactionSettings } = this.connections;
    if (transactionSettings === null) return (statement) => client.query(statement);
    const begin = beginWith('READ WRITE', { ...transactionSettings, ...settingsOf(scope) });
    return (statement) => inOwnTransaction(client, begin, () => client.query(statement));
  }

  private async open(scope: TenantScope): Promise<pg.PoolClient> {
    const client = await this.connections.connect();
    client.on('error', () => this.forget(client));
    if (this.connections.transactionSettings !== null) return client;
    const settings = Object.entries(settingsOf(scope)).map(
      ([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value)}, false)`,
    );
    try {
      await client.query(`SELECT ${settings.join(', ')}`);
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** Discards a connection that broke while idle. */
  private forget(client: pg.PoolClient): void {
    const at = this.idle.indexOf(client);
    if (at === -1) return;
    this.idle.splice(at, 1);
    client.release(true);
  }
}
