import type { TenantScope } from '@gatehouse/contracts-core';
import type { ElevationStatus } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import {
  isRetryable,
  MAX_BUNDLE_EVENTS,
  MAX_BUNDLE_SIZE,
  type OutboxRow,
  type RequestConnections,
} from '@gatehouse/database';
import { needsTicketOf } from '../justification/justification-sql.repository.ts';
import { AUTHORITY_NOW } from '../requests/present-sql.repository.ts';
import { strictestDemandOf } from '../requests/submitted-request.ts';
import { RULEBOOK_LOCK_OF } from '../rulebooks/rulebook-versions.repository.ts';
import { BatchConnections, type RunStatement } from './batch-connections.repository.ts';

/** The columns of elevation_requests that come from a report; the database adds the times. */
const REPORT_COLUMNS = {
  id: 'uuid',
  partner_id: 'uuid',
  org_id: 'uuid',
  device_id: 'uuid',
  device_hostname: 'text',
  device_version: 'bigint',
  flow_type: 'text',
  status: 'text',
  subject_username: 'text',
  target_executable_path: 'text',
  target_executable_hash: 'text',
  target_executable_signer: 'text',
  target_executable_signer_thumbprint: 'text',
  target_executable_publisher: 'text',
  pid: 'bigint',
  parent_image: 'text',
  command_line: 'text',
  ad_groups: 'text[]',
  flags: 'text[]',
  reason: 'text',
  ticket: 'text',
  observed_at: 'timestamptz',
  rulebook_version: 'bigint',
  decision_source: 'text',
  matched_policy_id: 'uuid',
  matched_policy_name: 'text',
  pam_rule_id: 'uuid',
  pam_rule_name: 'text',
  duration_minutes: 'integer',
  held: 'text',
  costliest_id: 'uuid',
  shadow: 'jsonb',
  votes_required: 'smallint',
  pending_minutes: 'integer',
  barred_editors: 'uuid[]',
  needs_ticket: 'boolean',
} as const;

interface OpenBundle {
  /** Starts at 1, like row numbers in SQL. */
  readonly number: number;
  events: number;
  size: number;
}

/** The events of a batch of reports as columns, each with the bundle that it joins if its report is stored. */
class FactBundles {
  readonly positions: number[] = [];
  readonly bundles: number[] = [];
  readonly texts: string[] = [];
  /** Ids of the bundles, by their number. */
  readonly ids: string[] = [];
  readonly subjects: string[] = [];
  private readonly open = new Map<string, OpenBundle>();

  /** @param facts the events of each report; earlier events of a report go into earlier bundles */
  constructor(facts: readonly (readonly OutboxRow[])[]) {
    const most = Math.max(...facts.map(({ length }) => length));
    for (let place = 0; place < most; place++) {
      for (const [position, own] of facts.entries()) this.add(own[place], position);
      this.open.clear();
    }
  }

  private add(fact: OutboxRow | undefined, position: number): void {
    if (!fact) return;
    const { subject, envelope } = fact;
    const text = JSON.stringify(envelope);
    const bundle = this.bundleFor(subject, text.length);
    bundle.events++;
    bundle.size += text.length;
    this.positions.push(position);
    this.bundles.push(bundle.number);
    this.texts.push(text);
  }

  private bundleFor(subject: string, size: number): OpenBundle {
    const open = this.open.get(subject);
    if (open && open.events < MAX_BUNDLE_EVENTS && open.size + size <= MAX_BUNDLE_SIZE) return open;
    const bundle = { number: this.ids.push(newId()), events: 0, size: 0 };
    this.subjects.push(subject);
    this.open.set(subject, bundle);
    return bundle;
  }
}

type ReportColumn = keyof typeof REPORT_COLUMNS;
/** The values that a report gives to a row of elevation_requests; undefined becomes null. */
export type ReportRow = Readonly<
  Record<
    Exclude<ReportColumn, 'id' | 'device_id' | 'org_id' | 'partner_id' | 'status' | 'rulebook_version'>,
    string | number | boolean | readonly string[] | readonly object[] | null | undefined
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

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Until when a grant lasts, and the rule or policy that gave it. */
export interface AutomaticGrant {
  readonly expiresAt: Date;
  readonly rule: Named | null;
  readonly policy: Named | null;
}

export type ReportResult =
  | {
      readonly result: 'written' | 'repeated';
      readonly requestId: string | null;
      readonly status: string;
      /** Null unless the report was granted automatically. */
      readonly grant: AutomaticGrant | null;
    }
  | { readonly result: 'stale' | 'busy' };

interface Written {
  readonly position: number;
  readonly result: ReportResult['result'];
  readonly expires_at: Date | null;
}

interface FirstAnswer {
  readonly device_id: string;
  readonly body_hash: string;
  readonly request_id: string | null;
  readonly status: string;
  readonly expires_at: Date | null;
  readonly pam_rule_id: string | null;
  readonly pam_rule_name: string | null;
  readonly matched_policy_id: string | null;
  readonly matched_policy_name: string | null;
}

type GrantColumns = Pick<ReportRow, 'pam_rule_id' | 'pam_rule_name' | 'matched_policy_id' | 'matched_policy_name'>;

const namedOf = (id: unknown, name: unknown): Named | null =>
  typeof id === 'string' ? { id, name: typeof name === 'string' ? name : '' } : null;

const grantOf = (expiresAt: Date | null, row: GrantColumns): AutomaticGrant | null =>
  expiresAt && {
    expiresAt,
    rule: namedOf(row.pam_rule_id, row.pam_rule_name),
    policy: namedOf(row.matched_policy_id, row.matched_policy_name),
  };

const names = Object.keys(REPORT_COLUMNS);
/** What the policies of the organisation ask for, where no rulebook was usable. */
const WITHOUT_RULEBOOK: Readonly<Record<string, string>> = {
  votes_required: strictestDemandOf('w.org_id'),
  needs_ticket: needsTicketOf('w.org_id'),
};
const valueOf = (name: string): string => {
  const otherwise = WITHOUT_RULEBOOK[name];
  return otherwise === undefined ? `w.${name}` : `coalesce(w.${name}, ${otherwise})`;
};
const typed = Object.entries(REPORT_COLUMNS).map(([name, type]) => `${name} ${type}`);

/**
 * Writes a batch of decided reports in one statement and one commit: requests, audit entries and events together, or
 * nothing.
 * - `held` locks each organisation's rulebook version until the commit. A report decided under another version is not
 * written and returned as `stale`. A report without a version (the decision failed, so it is pending) needs no
 * rulebook.
 * - While a rulebook is being changed, or a change waits for the lock, its reports are returned as `busy`. The batch
 * never waits for a lock, and a storm of reports cannot delay the change.
 * - A report that was already answered in this organisation is not written again and returned as `repeated`.
 * - A report that is not `stored` (ignored) leaves only its answer, its audit entry and its count.
 * Events with the same subject share an outbox row. Only the events of written reports are included, concatenated as
 * text without being parsed.
 */
const WRITE_REPORTS = `
  WITH input AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS i("position" integer, body_hash text, stored boolean,
      ${typed.join(', ')})
  ), orgs AS MATERIALIZED (
    SELECT DISTINCT org_id FROM input
  ), let_in AS MATERIALIZED (
    SELECT org_id FROM orgs WHERE pg_try_advisory_xact_lock_shared(${RULEBOOK_LOCK_OF('org_id')})
  ), held AS MATERIALIZED (
    SELECT v.org_id, v.version FROM rulebook_versions v JOIN let_in o ON o.org_id = v.org_id FOR SHARE OF v SKIP LOCKED
  ), fresh AS MATERIALIZED (
    SELECT i.*, decode(i.body_hash, 'hex') AS hash FROM input i LEFT JOIN held h ON h.org_id = i.org_id
      WHERE i.rulebook_version IS NULL OR i.rulebook_version = h.version
  ), receipt AS (
    INSERT INTO report_receipts AS r (device_id, body_hash, partner_id, org_id, request_id, status)
    SELECT device_id, hash, partner_id, org_id, CASE WHEN stored THEN id END, status FROM fresh ORDER BY device_id, hash
    ON CONFLICT (device_id, body_hash) DO UPDATE SET request_id = EXCLUDED.request_id, status = EXCLUDED.status,
      received_at = now(), partner_id = EXCLUDED.partner_id, org_id = EXCLUDED.org_id
      WHERE r.received_at < now() - interval '15 minutes' OR r.org_id <> EXCLUDED.org_id
    RETURNING r.device_id, r.body_hash
  ), judged AS MATERIALIZED (
    SELECT f.*, (f.device_id, f.hash) IN (SELECT device_id, body_hash FROM receipt) AS is_new FROM fresh f
  ), written AS MATERIALIZED (
    SELECT * FROM judged WHERE is_new
  ), requests AS (
    INSERT INTO elevation_requests (${names.join(', ')}, decided_at, pending_until, expires_at)
    SELECT ${names.map(valueOf).join(', ')},
           CASE WHEN w.status <> 'pending' THEN now() END,
           CASE WHEN w.status = 'pending' THEN now() + make_interval(mins => coalesce(w.pending_minutes, $7)) END,
           CASE WHEN w.status = 'auto_approved' THEN now() + make_interval(mins => w.duration_minutes) END
      FROM written w WHERE w.stored
  ), ignored AS (
    INSERT INTO ignored_count_deltas (partner_id, org_id, site_id, at, count)
    SELECT i.partner_id, i.org_id, i.site_id, date_trunc('hour', now(), 'UTC'), count(*)
      FROM (SELECT w.partner_id, w.org_id, (SELECT d.site_id FROM device_ref d
        WHERE d.device_id = w.device_id) AS site_id FROM written w WHERE NOT w.stored) i
     WHERE i.site_id IS NOT NULL GROUP BY 1, 2, 3
  ), stated AS (
    SELECT f.bundle, count(*) AS count, string_agg(f.text, ',' ORDER BY f.position) AS texts
      FROM ROWS FROM (unnest($2::integer[]), unnest($3::integer[]), json_array_elements_text($4::json)) AS f(position,
        bundle, text) JOIN written w ON w.position = f.position GROUP BY f.bundle
  ), facts AS (
    INSERT INTO outbox (id, subject, envelope)
    SELECT CASE count WHEN 1 THEN (texts::json->>'id')::uuid ELSE ($5::uuid[])[bundle] END, ($6::text[])[bundle],
           CASE count WHEN 1 THEN texts::json
             ELSE ('{"id":"' || ($5::uuid[])[bundle] || '","events":[' || texts || ']}')::json END
      FROM stated ORDER BY bundle
  )
  SELECT i.position, CASE WHEN w.status = 'auto_approved' THEN now() + make_interval(mins => w.duration_minutes)
    END AS expires_at, CASE WHEN w.position IS NOT NULL THEN 'written' WHEN f.position IS NOT NULL THEN 'repeated'
    WHEN h.org_id IS NULL THEN 'busy' ELSE 'stale' END AS result
    FROM input i LEFT JOIN fresh f ON f.position = i.position LEFT JOIN written w ON w.position = i.position LEFT
      JOIN held h ON h.org_id = i.org_id`;

/** Reads the first answers to repeated reports; one that granted is made anew from the present state (PAM-300). */
const FIRST_ANSWERS = `
  SELECT a.device_id, encode(a.body_hash, 'hex') AS body_hash, a.request_id,
         CASE WHEN a.status = 'auto_approved' THEN coalesce(${AUTHORITY_NOW}, 'expired') ELSE a.status END AS status,
         r.expires_at, r.pam_rule_id, r.pam_rule_name, r.matched_policy_id, r.matched_policy_name
    FROM report_receipts a JOIN unnest($1::uuid[], $2::text[]) AS asked(device_id,
      body_hash) ON a.device_id = asked.device_id AND a.body_hash = decode(asked.body_hash, 'hex')
    LEFT JOIN elevation_requests r ON r.id = a.request_id AND a.status = 'auto_approved'`;

const MAX_TRIES = 3;
const STALE: ReportResult = { result: 'stale' };
const BUSY: ReportResult = { result: 'busy' };
const keyOf = (deviceId: string, bodyHash: string): string => `${deviceId} ${bodyHash}`;

/** Writes reports in batches, each in one round trip and one commit. */
export class ReportBatchRepository {
  private readonly connections: BatchConnections;

  constructor(connections: RequestConnections) {
    this.connections = new BatchConnections(connections);
  }

  /** @param scope the system scope, passed explicitly because the rows of one batch belong to many tenants */
  async write(scope: TenantScope, reports: readonly DecidedReport[], pendingMinutes: number): Promise<ReportResult[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.connections.run(scope, (query) => this.writeOn(query, reports, pendingMinutes));
      } catch (error) {
        if (!isRetryable(error) || attempt === MAX_TRIES) throw error;
      }
    }
  }

  private async writeOn(
    query: RunStatement,
    reports: readonly DecidedReport[],
    pendingMinutes: number,
  ): Promise<ReportResult[]> {
    const input = JSON.stringify(
      reports.map(({ bodyHash, stored, row }, position) => ({ position, body_hash: bodyHash, stored, ...row })),
    );
    const { positions, bundles, texts, ids, subjects } = new FactBundles(reports.map(({ outbox }) => outbox));
    const { rows } = await query<Written>({
      name: 'write-reports',
      text: WRITE_REPORTS,
      values: [input, positions, bundles, JSON.stringify(texts), ids, subjects, pendingMinutes],
    });
    const results = new Array<ReportResult>(reports.length).fill(STALE);
    const repeated: number[] = [];
    for (const { position, result, expires_at: expiresAt } of rows) {
      const { stored, row } = reports[position]!;
      if (result === 'written')
        results[position] = {
          result,
          requestId: stored ? row.id : null,
          status: row.status,
          grant: grantOf(expiresAt, row),
        };
      if (result === 'busy') results[position] = BUSY;
      if (result === 'repeated') repeated.push(position);
    }
    if (repeated.length > 0) await this.fillFirstAnswers(query, reports, repeated, results);
    return results;
  }

  private async fillFirstAnswers(
    query: RunStatement,
    reports: readonly DecidedReport[],
    positions: readonly number[],
    results: ReportResult[],
  ): Promise<void> {
    const asked = positions.map((position) => reports[position]!);
    const { rows } = await query<FirstAnswer>({
      name: 'first-answers',
      text: FIRST_ANSWERS,
      values: [asked.map(({ row }) => row.device_id), asked.map(({ bodyHash }) => bodyHash)],
    });
    const answers = new Map(rows.map((row) => [keyOf(row.device_id, row.body_hash), row]));
    for (const position of positions) {
      const { row, bodyHash } = reports[position]!;
      const first = answers.get(keyOf(row.device_id, bodyHash));
      // The receipt was deleted in between: the report counts as new and is decided again.
      results[position] = first
        ? {
            result: 'repeated',
            requestId: first.request_id,
            status: first.status,
            grant: first.status === 'auto_approved' ? grantOf(first.expires_at, first) : null,
          }
        : STALE;
    }
  }

  /** Closes the connections, so that their tenant context cannot be reused by other work. */
  close(): void {
    this.connections.close();
  }
}
