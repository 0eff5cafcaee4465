import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

export interface ExpiringRule {
  readonly ruleId: string;
  readonly partnerId: string;
  readonly orgId: string;
  readonly expiresAt: Date;
  /** 1: seven days before, 2: one day before, 3: at the end. */
  readonly expiryNotices: number;
}

/** The most rules that one transaction gives notice of. */
export const NOTICE_BATCH = 200;

// A later notice takes the place of an earlier one that was never due: a rule for one hour has no notice of a week.
const DUE = `CASE WHEN expires_at <= now() THEN 3 WHEN expires_at <= now() + interval '1 day' THEN 2 ELSE 1 END`;

// Replicas sweep concurrently: SKIP LOCKED lets each take rows that no other holds.
const TAKE_DUE = `
  UPDATE pam_rules r SET expiry_notices = due.notice
    FROM (SELECT id, ${DUE} AS notice FROM pam_rules
           WHERE expires_at <= now() + interval '7 days' AND expiry_notices < 3 AND expiry_notices < ${DUE} AND enabled
           ORDER BY expires_at LIMIT ${NOTICE_BATCH} FOR UPDATE SKIP LOCKED) AS due
   WHERE r.id = due.id
  RETURNING r.id AS rule_id, r.partner_id, r.org_id, r.expires_at, r.expiry_notices`;

@Injectable()
export class RuleExpiryRepository {
  /** Marks the rules of which notice is due by the database's clock, and returns them. */
  takeDue(tx: Tx): Promise<ExpiringRule[]> {
    return tx.query<ExpiringRule>(TAKE_DUE);
  }
}
