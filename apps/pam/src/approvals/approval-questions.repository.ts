import { type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

/** A pending request, and the technician up to whom it has been asked about. */
export interface Question {
  readonly elevationRequestId: string;
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string | null;
  readonly askedUpTo: string;
}

/** Requests that are asked about together; the oldest of each partner comes first. */
const TAKEN = 10;
const KEEP = `
  INSERT INTO approval_questions (elevation_request_id, partner_id, org_id, site_id, asked_up_to)
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[]) ON CONFLICT DO NOTHING`;
/** Leaps from partner to partner: how much waits of each costs nothing, and nobody waits for another partner's thousands. */
const TAKE = `
  WITH RECURSIVE partners AS (
    SELECT (SELECT partner_id FROM approval_questions ORDER BY partner_id LIMIT 1) AS id
    UNION ALL
    SELECT (SELECT q.partner_id FROM approval_questions q WHERE q.partner_id > p.id ORDER BY q.partner_id LIMIT 1) FROM partners p WHERE p.id IS NOT NULL
  ), heads AS (
    SELECT h.id, row_number() OVER (PARTITION BY p.id ORDER BY h.id) AS turn
      FROM partners p CROSS JOIN LATERAL (SELECT elevation_request_id AS id FROM approval_questions WHERE partner_id = p.id ORDER BY elevation_request_id LIMIT ${TAKEN}) h
  ), taken AS (
    SELECT q.elevation_request_id AS id FROM approval_questions q JOIN heads h ON h.id = q.elevation_request_id ORDER BY h.turn, h.id LIMIT ${TAKEN} FOR UPDATE OF q SKIP LOCKED
  )
  DELETE FROM approval_questions q USING taken WHERE q.elevation_request_id = taken.id RETURNING q.elevation_request_id, q.partner_id, q.org_id, q.site_id, q.asked_up_to`;

@Injectable()
export class ApprovalQuestionsRepository {
  async keep(tx: Tx, questions: readonly Question[]): Promise<void> {
    if (questions.length === 0) return;
    const column = (key: keyof Question): (string | null)[] => questions.map((question) => question[key]);
    await tx.query(KEEP, [column('elevationRequestId'), column('partnerId'), column('orgId'), column('siteId'), column('askedUpTo')]);
  }

  /** Some that wait, which others do not see any more: what remains of them is to be kept. */
  take(tx: Tx): Promise<Question[]> {
    return tx.query<Question>(TAKE);
  }
}
