import { type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

/** A pending request and the last technician who has got an approval for it, in the order of their ids. */
export interface Question {
  readonly elevationRequestId: string;
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string | null;
  readonly deviceId: string;
  readonly askedUpTo: string;
}

/** The most open approvals of one device that a technician may have (decisions, "asking"). */
export const MAX_OPEN = 20;
/** Sorts before the id of every technician. */
export const BEFORE_ALL_TECHNICIANS = '00000000-0000-0000-0000-000000000000';

/** Size of a batch of requests. Each partner's oldest request comes first. */
const BATCH = 10;
const INSERT = `
  INSERT INTO approval_questions (elevation_request_id, partner_id, org_id, site_id, device_id, asked_up_to)
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[]) ON CONFLICT DO NOTHING`;
/** Only requests that are still pending are parked: nothing would ever unpark the others. */
const PARK = `
  INSERT INTO approval_questions (elevation_request_id, partner_id, org_id, site_id, device_id, asked_up_to, parked)
  SELECT q.id, q.partner_id, q.org_id, q.site_id, q.device_id, '${BEFORE_ALL_TECHNICIANS}', true
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[]) AS q (id, partner_id, org_id, site_id,
      device_id)
   WHERE EXISTS (SELECT FROM elevation_requests r WHERE r.id = q.id AND r.status = 'pending') ON CONFLICT DO NOTHING`;
/**
 * Unparks the oldest questions of a device first, as many as one technician may have open. That includes at least one
 * for each technician with a free place.
 */
const UNPARK = `
  UPDATE approval_questions SET parked = false WHERE elevation_request_id IN (
    SELECT p.id FROM unnest($1::uuid[]) AS d (id)
     CROSS JOIN LATERAL (SELECT q.elevation_request_id AS id FROM approval_questions q WHERE q.device_id = d.id
       AND q.parked ORDER BY q.elevation_request_id LIMIT ${MAX_OPEN} FOR UPDATE SKIP LOCKED) p)`;
const FORGET_ENDED = `
  DELETE FROM approval_questions q WHERE q.parked
     AND NOT EXISTS (SELECT FROM elevation_requests r WHERE r.id = q.elevation_request_id AND r.status = 'pending'
       AND r.pending_until > now())`;
/**
 * Skips from partner to partner on the index (a loose index scan). The cost does not depend on the backlog, and a
 * partner does not wait behind another partner's thousands of requests.
 */
const TAKE = `
  WITH RECURSIVE partners AS (
    SELECT (SELECT partner_id FROM approval_questions WHERE NOT parked ORDER BY partner_id LIMIT 1) AS id
    UNION ALL
    SELECT (SELECT q.partner_id FROM approval_questions q WHERE q.partner_id > p.id AND NOT q.parked
      ORDER BY q.partner_id LIMIT 1) FROM partners p WHERE p.id IS NOT NULL
  ), heads AS (
    SELECT h.id, row_number() OVER (PARTITION BY p.id ORDER BY h.id) AS place
      FROM partners p CROSS JOIN LATERAL (SELECT elevation_request_id AS id FROM approval_questions
        WHERE partner_id = p.id AND NOT parked ORDER BY elevation_request_id LIMIT ${BATCH}) h
  ), taken AS (
    SELECT q.elevation_request_id AS id FROM approval_questions q JOIN heads h ON h.id = q.elevation_request_id
      AND NOT q.parked ORDER BY h.place, h.id LIMIT ${BATCH} FOR UPDATE OF q SKIP LOCKED
  )
  DELETE FROM approval_questions q USING taken WHERE q.elevation_request_id = taken.id
    RETURNING q.elevation_request_id, q.partner_id, q.org_id, q.site_id, q.asked_up_to,
    coalesce(q.device_id, (SELECT r.device_id FROM elevation_requests r
    WHERE r.id = q.elevation_request_id)) AS device_id`;

const columnsOf = (questions: readonly Question[], keys: readonly (keyof Question)[]): (string | null)[][] =>
  keys.map((key) => questions.map((question) => question[key]));

@Injectable()
export class ApprovalQuestionsRepository {
  async insert(tx: Tx, questions: readonly Question[]): Promise<void> {
    if (questions.length === 0) return;
    await tx.query(
      INSERT,
      columnsOf(questions, ['elevationRequestId', 'partnerId', 'orgId', 'siteId', 'deviceId', 'askedUpTo']),
    );
  }

  /**
   * Removes a batch of waiting questions, so that no other replica takes them. The caller stores again what it did not
   * finish.
   */
  take(tx: Tx): Promise<Question[]> {
    return tx.query<Question>(TAKE);
  }

  /** Parks questions until a technician has a free place for their device. */
  async park(tx: Tx, questions: readonly Question[]): Promise<void> {
    if (questions.length === 0) return;
    await tx.query(PARK, columnsOf(questions, ['elevationRequestId', 'partnerId', 'orgId', 'siteId', 'deviceId']));
  }

  /** Unparks questions of these devices, because technicians have free places again. */
  async unpark(tx: Tx, deviceIds: readonly string[]): Promise<void> {
    if (deviceIds.length > 0) await tx.query(UNPARK, [[...new Set(deviceIds)]]);
  }

  /** Deletes parked questions whose request is no longer pending. */
  async forgetEnded(tx: Tx): Promise<void> {
    await tx.query(FORGET_ENDED);
  }
}
