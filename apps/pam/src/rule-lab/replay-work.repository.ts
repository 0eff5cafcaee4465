import type { ReplaySummaryRecord } from '@gatehouse/contracts-pam';
import type { Reader, Tx } from '@gatehouse/database';
import type { ReplayChangeEntity } from '@gatehouse/pam-store';
import type { Tally } from '@gatehouse/pam-domain';
import { Injectable } from '@nestjs/common';
import type { Author } from './candidates.ts';
import type { ReplayRow } from './replays.repository.ts';

/** One replay, held by one run. */
export interface Lease {
  readonly id: string;
  readonly lease: string;
}

export type ClaimedReplay = Omit<ReplayRow, 'summary'> & Lease;
export type ChangedRequest = Omit<ReplayChangeEntity, 'replayId' | 'partnerId' | 'orgId'>;

/** What one batch adds to a replay. */
export interface Progress {
  readonly rulebookVersion: number;
  readonly position: string | null;
  readonly total: number;
  readonly tally: Tally;
  readonly changes: readonly ChangedRequest[];
  readonly deviceIds: readonly string[];
}

const LEASE = `now() + interval '30 seconds'`;
const MAX_ATTEMPTS = 5;
const KEPT = `interval '7 days'`;
const BATCH = 20;

const WAITS = `(p.state = 'queued' OR (p.state = 'running' AND p.leased_until < now()))`;
/**
 * The oldest replay that waits, or whose run has stopped, of the partner whose last turn is longest ago, and of these
 * of the organisation; one that failed again and again is given up.
 */
const CLAIM = `
  UPDATE pam_replays SET lease = $1, served_at = clock_timestamp(), leased_until = ${LEASE}, attempts = attempts + 1,
    state = CASE WHEN attempts < ${MAX_ATTEMPTS} THEN 'running' ELSE 'failed' END,
    error = CASE WHEN attempts < ${MAX_ATTEMPTS} THEN NULL ELSE 'The replay was interrupted too often.' END,
    finished_at = CASE WHEN attempts < ${MAX_ATTEMPTS} THEN NULL ELSE now() END
   WHERE id = (SELECT p.id FROM pam_replays p WHERE ${WAITS}
     ORDER BY (SELECT max(s.served_at) FROM pam_replays s WHERE s.partner_id = p.partner_id) NULLS FIRST,
       (SELECT max(s.served_at) FROM pam_replays s WHERE s.org_id = p.org_id) NULLS FIRST, p.created_at
     LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id, partner_id, org_id, name, state, sites, flow_type, since, changes, default_unmatched_verdict,
    rulebook_version, position, done, total, tally, error, lease, created_by, created_at, finished_at, applied_at`;
const HELD = `WHERE id = $1 AND lease = $2 AND state = 'running'`;
const SAVE = `
  UPDATE pam_replays SET rulebook_version = $3, position = $4, total = $5, tally = $6, done = $7,
    leased_until = ${LEASE}, attempts = 0
  ${HELD} RETURNING id`;
const FINISH = `UPDATE pam_replays SET state = 'completed', summary = $3, total = done, finished_at = now() ${HELD}
  RETURNING id`;
const FAIL = `UPDATE pam_replays SET state = 'failed', error = $3, finished_at = now() ${HELD}`;
const RELEASE = `UPDATE pam_replays SET leased_until = now(), attempts = 0 ${HELD}`;
const OTHER_WAITS = `SELECT FROM pam_replays p WHERE ${WAITS} AND p.org_id <> $1 LIMIT 1`;
const FORGET_CHANGES = 'DELETE FROM pam_replay_changes WHERE replay_id = $1';
const FORGET_DEVICES = 'DELETE FROM pam_replay_devices WHERE replay_id = $1';
const COUNT_DEVICES = 'SELECT count(*) AS count FROM pam_replay_devices WHERE replay_id = $1';
const OWNER = 'SELECT id AS replay_id, partner_id, org_id FROM pam_replays WHERE id = $1';
const ADD_CHANGES = `
  INSERT INTO pam_replay_changes (replay_id, partner_id, org_id, request_id, requested_at, device_id, device_hostname,
    flow_type, outcome, before, after, recorded_status, recorded_source)
  SELECT p.replay_id, p.partner_id, p.org_id, c."requestId", c."requestedAt", c."deviceId", c."deviceHostname",
    c."flowType", c.outcome, c.before, c.after, c."recordedStatus", c."recordedSource"
    FROM (${OWNER}) AS p, jsonb_to_recordset($2) AS c("requestId" uuid, "requestedAt" timestamptz, "deviceId" uuid,
      "deviceHostname" text, "flowType" text, outcome text, before jsonb, after jsonb, "recordedStatus" text,
      "recordedSource" text)
  ON CONFLICT DO NOTHING`;
const ADD_DEVICES = `
  INSERT INTO pam_replay_devices (replay_id, partner_id, org_id, device_id)
  SELECT p.replay_id, p.partner_id, p.org_id, d.id FROM (${OWNER}) AS p, unnest($2::uuid[]) AS d(id)
    ON CONFLICT DO NOTHING`;
const DELETE_OLD = `
  DELETE FROM pam_replays WHERE id IN (
    SELECT id FROM pam_replays WHERE created_at < now() - ${KEPT} AND state NOT IN ('queued', 'running') LIMIT ${BATCH}
      FOR UPDATE SKIP LOCKED) RETURNING id`;

/** A replay as a job: one run holds it by a lease, and saves each batch. */
@Injectable()
export class ReplayWorkRepository {
  claim(reader: Reader, lease: string): Promise<ClaimedReplay | null> {
    return reader.one<ClaimedReplay>(CLAIM, [lease]);
  }

  /** @returns false when the replay was cancelled, or another run holds it */
  async save(tx: Tx, { id, lease }: Lease, progress: Progress): Promise<boolean> {
    const { rulebookVersion, position, total, tally, changes, deviceIds } = progress;
    const values = [id, lease, rulebookVersion, position, total, JSON.stringify(tally), tally.scanned];
    if (!(await tx.one(SAVE, values))) return false;
    if (changes.length > 0) await tx.query(ADD_CHANGES, [id, JSON.stringify(changes)]);
    if (deviceIds.length > 0) await tx.query(ADD_DEVICES, [id, deviceIds]);
    return true;
  }

  /** Deletes what an earlier run found, so that the replay begins anew. */
  async forget(tx: Tx, { id }: Lease): Promise<void> {
    await tx.query(FORGET_CHANGES, [id]);
    await tx.query(FORGET_DEVICES, [id]);
  }

  /** The person who asked for the replay; empty when the product no longer knows them. */
  authors(tx: Tx, { createdBy }: ClaimedReplay): Promise<Author[]> {
    return tx.query('SELECT user_id, name, email FROM technician_ref WHERE user_id = $1', [createdBy]);
  }

  async deviceCount(tx: Tx, { id }: Lease): Promise<number> {
    return (await tx.one<{ count: number }>(COUNT_DEVICES, [id]))?.count ?? 0;
  }

  async finish(tx: Tx, { id, lease }: Lease, summary: ReplaySummaryRecord): Promise<void> {
    await tx.query(FINISH, [id, lease, JSON.stringify(summary)]);
  }

  async fail(tx: Tx, { id, lease }: Lease, error: string): Promise<void> {
    await tx.query(FAIL, [id, lease, error]);
  }

  /** Whether a replay of another organisation waits for its turn. */
  async othersWait(tx: Tx, { orgId }: ClaimedReplay): Promise<boolean> {
    return (await tx.one(OTHER_WAITS, [orgId])) !== null;
  }

  /** Gives the replay to the next run at once. */
  async release(tx: Tx, { id, lease }: Lease): Promise<void> {
    await tx.query(RELEASE, [id, lease]);
  }

  /** @returns how many replays were deleted, with what they found */
  async deleteOld(tx: Tx): Promise<number> {
    return (await tx.query(DELETE_OLD)).length;
  }
}
