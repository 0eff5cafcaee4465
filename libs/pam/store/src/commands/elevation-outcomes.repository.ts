import type { ElevationFact } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';

export type OutcomeFact = Omit<ElevationFact, 'siteId' | 'actorId'>;

const FACT =
  'id AS elevation_request_id, org_id, partner_id, device_id, flow_type, status, decision_source, pam_rule_id AS rule_id, matched_policy_id AS policy_id';
const MARK_ACTUATED = `UPDATE elevation_requests SET actuated_at = now() WHERE id = $1 AND status = 'actuating'
  AND actuated_at IS NULL RETURNING ${FACT}`;
// After its window the request is left to the sweep, which expires it.
const GIVE_BACK = `UPDATE elevation_requests SET status = 'approved' WHERE id = $1 AND status = 'actuating'
  AND actuated_at IS NULL AND expires_at > now() RETURNING ${FACT}`;

/**
 * Applies the results of commands to elevation requests. Null when the request is no longer being actuated, because it
 * was revoked or has expired.
 */
export class ElevationOutcomesRepository {
  markActuated(tx: Tx, id: string): Promise<OutcomeFact | null> {
    return tx.one<OutcomeFact>(MARK_ACTUATED, [id]);
  }

  giveBack(tx: Tx, id: string): Promise<OutcomeFact | null> {
    return tx.one<OutcomeFact>(GIVE_BACK, [id]);
  }
}
