import type { TenantScope } from '@gatehouse/contracts-core';
import type { ElevationStatus } from '@gatehouse/contracts-pam';
import { contextSettings, isRetryable, type OutboxRow, type RequestConnections } from '@gatehouse/database';
import pg from 'pg';
import { FactBundles } from './fact-bundles.ts';
import { FIRST_ANSWERS, type REPORT_COLUMNS, WRITE_REPORTS } from './report-batch-sql.ts';

type ReportColumn = keyof typeof REPORT_COLUMNS;
/** The values that a report gives to a row of elevation_requests; undefined becomes null. */
export type ReportRow = Readonly<
  Record<
    Exclude<ReportColumn, 'id' | 'device_id' | 'org_id' | 'partner_id' | 'status' | 'rulebook_version'>,
    string | number | readonly string[] | null | undefined
  >
> & {
  readonly id: string;
  readonly device_id: string;
  readonly org_id: string;
  readonly partner_id: string;
  readonly status: ElevationStatus | 'ignored';
  /** The version of the rulebook that decided; null when no rulebook was usable. */
  readonly rulebook_version: number | null;
};

/** A report and its decision, ready to be stored. */
export interface DecidedReport {
  /** SHA-256 of the report in hex; identical reports get the same answer. */
  readonly bodyHash: string;
  /** False for an ignored report, of which only the answer and the audit entry are stored. */
  readonly stored: boolean;
  readonly row: ReportRow;
  readonly outbox: readonly OutboxRow[];
}

export type ReportResult =
  | { readonly result: 'written' | 'repeated'; readonly requestId: string | null; readonly status: string }
  | { readonly result: 'stale' | 'busy' };

interface Written {
  readonly position: number;
  readonly result: ReportResult['result'];
}

interface FirstAnswer {
  readonly device_id: string;
  readonly body_hash: string;
  readonly request_id: string | null;
  readonly status: string;
}

const MAX_TRIES = 3;
const STALE: ReportResult = { result: 'stale' };
const BUSY: ReportResult = { result: 'busy' };
const keyOf = (deviceId: string, bodyHash: string): string => `${deviceId} ${bodyHash}`;

/**
 * Writes reports in batches, each in one round trip and one commit. A batch spans tenants, so it uses its own
 * connections, whose tenant context is set once when they are opened; nothing else runs on them.
 */
export class ReportBatchRepository {
  private readonly idle: pg.PoolClient[] = [];

  constructor(private readonly connections: RequestConnections) {}

  /** @param scope the system scope, passed explicitly because the rows of one batch belong to many tenants */
  async write(scope: TenantScope, reports: readonly DecidedReport[], pendingMinutes: number): Promise<ReportResult[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.onConnection(scope, (client) => this.writeOn(client, reports, pendingMinutes));
      } catch (error) {
        if (!isRetryable(error) || attempt === MAX_TRIES) throw error;
      }
    }
  }

  private async writeOn(
    client: pg.PoolClient,
    reports: readonly DecidedReport[],
    pendingMinutes: number,
  ): Promise<ReportResult[]> {
    const input = JSON.stringify(
      reports.map(({ bodyHash, stored, row }, position) => ({ position, body_hash: bodyHash, stored, ...row })),
    );
    const { positions, bundles, texts, ids, subjects } = new FactBundles(reports.map(({ outbox }) => outbox));
    const { rows } = await client.query<Written>({
      name: 'write-reports',
      text: WRITE_REPORTS,
      values: [input, positions, bundles, JSON.stringify(texts), ids, subjects, pendingMinutes],
    });
    const results = new Array<ReportResult>(reports.length).fill(STALE);
    const repeated: number[] = [];
    for (const { position, result } of rows) {
      const { stored, row } = reports[position]!;
      if (result === 'written') results[position] = { result, requestId: stored ? row.id : null, status: row.status };
      if (result === 'busy') results[position] = BUSY;
      if (result === 'repeated') repeated.push(position);
    }
    if (repeated.length > 0) await this.fillFirstAnswers(client, reports, repeated, results);
    return results;
  }

  private async fillFirstAnswers(
    client: pg.PoolClient,
    reports: readonly DecidedReport[],
    positions: readonly number[],
    results: ReportResult[],
  ): Promise<void> {
    const asked = positions.map((position) => reports[position]!);
    const { rows } = await client.query<FirstAnswer>({
      name: 'first-answers',
      text: FIRST_ANSWERS,
      values: [asked.map(({ row }) => row.device_id), asked.map(({ bodyHash }) => bodyHash)],
    });
    const answers = new Map(rows.map((row) => [keyOf(row.device_id, row.body_hash), row]));
    for (const position of positions) {
      const { row, bodyHash } = reports[position]!;
      const first = answers.get(keyOf(row.device_id, bodyHash));
      // The receipt was deleted in between: the report counts as new and is decided again.
      results[position] = first ? { result: 'repeated', requestId: first.request_id, status: first.status } : STALE;
    }
  }

  private async onConnection<T>(scope: TenantScope, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = this.idle.pop() ?? (await this.open(scope));
    try {
      const result = await work(client);
      this.idle.push(client);
      return result;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  private async open(scope: TenantScope): Promise<pg.PoolClient> {
    const client = await this.connections.connect();
    client.on('error', () => this.forget(client));
    // A generic plan, because planning the same statement again costs more than running a batch.
    const settings = Object.entries({ ...contextSettings(scope), plan_cache_mode: 'force_generic_plan' }).map(
      ([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value)}, false)`,
    );
    await client.query(`SELECT ${settings.join(', ')}`);
    return client;
  }

  /** Discards a connection that broke while idle. */
  private forget(client: pg.PoolClient): void {
    const at = this.idle.indexOf(client);
    if (at === -1) return;
    this.idle.splice(at, 1);
    client.release(true);
  }

  /** Closes the connections, so that their tenant context cannot be reused by other work. */
  close(): void {
    for (const client of this.idle.splice(0)) client.release(true);
  }
}
