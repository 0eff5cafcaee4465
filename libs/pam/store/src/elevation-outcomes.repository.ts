import type { ElevationFact } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';

const MARK_ACTUATED = `
  UPDATE elevation_requests SET actuated_at = now() WHERE id = $1 AND status = 'actuating' AND actuated_at IS NULL
  RETURNING id AS elevation_request_id, org_id, partner_id, device_id, flow_type, status, decision_source, pam_rule_id AS rule_id, matched_policy_id AS policy_id`;

// Past its window the request is left to the sweep, which expires it as any other approved one.
const GIVE_BACK = `UPDATE elevation_requests SET status = 'approved' WHERE id = $1 AND status = 'actuating' AND actuated_at IS NULL`;

/** What an agent's results do to elevation requests. */
export class ElevationOutcomesRepository {
  /** Null when the request is not being actuated any more: revoked or expired meanwhile. */
  markActuated(tx: Tx, id: string): Promise<Omit<ElevationFact, 'siteId' | 'actorId'> | null> {
    return tx.one<Omit<ElevationFact, 'siteId' | 'actorId'>>(MARK_ACTUATED, [id]);
  }

  async giveBack(tx: Tx, id: string): Promise<void> {
    await tx.query(GIVE_BACK, [id]);
  }
}
