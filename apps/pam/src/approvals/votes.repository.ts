import type { UserCaller } from '@gatehouse/contracts-core';
import type { Reader, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { Approver } from '../requests/request-problems.ts';
import type { TransitionedRequest } from '../requests/transitioned-request.ts';
import { FACT_COLUMNS, SITE_NOW } from '../requests/request-sql.repository.ts';

/** The votes of a request that count. */
export interface Tally {
  readonly given: number;
  /** The shortest window that any voter gave. */
  readonly minutes: number;
}

const CAST = `
  INSERT INTO elevation_votes AS v (elevation_request_id, partner_id, org_id, user_id, user_name, minutes, provider_id)
  SELECT r.id, r.partner_id, r.org_id, $2, $3, $4, $5 FROM elevation_requests r WHERE r.id = $1
  ON CONFLICT (elevation_request_id, user_id) DO UPDATE
    SET user_name = EXCLUDED.user_name, minutes = EXCLUDED.minutes, provider_id = EXCLUDED.provider_id,
      voted_at = now(), voided_at = NULL
    WHERE v.voided_at IS NOT NULL
  RETURNING v.user_id`;
const VOID_LOST = `
  UPDATE elevation_votes v SET voided_at = now() FROM elevation_requests r
   WHERE r.id = $1 AND v.elevation_request_id = r.id AND v.voided_at IS NULL AND v.user_id <> $2
     AND NOT EXISTS (SELECT FROM elevation_voters(r.partner_id, r.org_id) e
                      WHERE e.user_id = v.user_id AND (e.everywhere OR ${SITE_NOW} = ANY (e.site_ids)))`;
const OTHERS = `
  SELECT v.user_id, t.email FROM elevation_votes v LEFT JOIN technician_ref t ON t.user_id = v.user_id
   WHERE v.elevation_request_id = $1 AND v.user_id <> $2 AND v.voided_at IS NULL`;
const VOID = `
  UPDATE elevation_votes SET voided_at = now() WHERE elevation_request_id = $1 AND user_id = ANY ($2::uuid[])`;
const VOID_OF_PROVIDER = `
  UPDATE elevation_votes v SET voided_at = now() FROM elevation_requests r
   WHERE v.provider_id = $1 AND ($2::uuid IS NULL OR v.user_id = $2) AND v.voided_at IS NULL
     AND r.id = v.elevation_request_id AND r.status = 'pending'`;
const TALLY = `
  SELECT count(*) FILTER (WHERE voided_at IS NULL)::int AS given, min(minutes) AS minutes FROM elevation_votes
    WHERE elevation_request_id = $1`;

/** The votes of requests that demand several. Call its methods under the lock of the request. */
@Injectable()
export class VotesRepository {
  /** @returns false when the caller's vote was counted before, whatever session it came from */
  async cast(tx: Tx, { userId, name, providerId }: UserCaller, id: string, minutes: number): Promise<boolean> {
    return (await tx.one(CAST, [id, userId, name, minutes, providerId])) !== null;
  }

  /** Voids the votes of others who can no longer approve the request, by the read model of people. */
  async voidLost(tx: Tx, { userId }: UserCaller, id: string): Promise<void> {
    await tx.query(VOID_LOST, [id, userId]);
  }

  /** The people other than the caller whose votes count. */
  others(tx: Tx, { userId }: UserCaller, id: string): Promise<Approver[]> {
    return tx.query<Approver>(OTHERS, [id, userId]);
  }

  async void(tx: Tx, id: string, userIds: readonly string[]): Promise<void> {
    if (userIds.length > 0) await tx.query(VOID, [id, userIds]);
  }

  /** Voids the votes on waiting requests that sessions of a provider gave, those of one user or all. */
  async voidOfProvider(tx: Tx, providerId: string, userId: string | null = null): Promise<void> {
    await tx.query(VOID_OF_PROVIDER, [providerId, userId]);
  }

  async tally(reader: Reader, id: string): Promise<Tally> {
    const tally = await reader.one<Tally>(TALLY, [id]);
    return tally ?? { given: 0, minutes: 0 };
  }

  /** The request as it is, for the event of a vote that does not decide it. */
  async request(reader: Reader, id: string): Promise<TransitionedRequest> {
    const [found] = await reader.query<TransitionedRequest>(
      `SELECT ${FACT_COLUMNS} FROM elevation_requests r WHERE r.id = $1`,
      [id],
    );
    return found!;
  }
}
