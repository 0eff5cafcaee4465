import { RulebookChanged } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';
import { RULEBOOK_LOCK_OF } from './rulebook-lock.ts';

interface Bumped {
  readonly orgId: string;
  readonly version: number;
}

/** The owner of a change: one organisation, or (orgId null) every organisation of the partner. */
export interface RulebookOwner {
  readonly partnerId: string;
  readonly orgId: string | null;
}

// Locks the table before the advisory lock, in the same order as a change of a whole partner; the opposite order could
// deadlock.
const ENTER = 'LOCK TABLE rulebook_versions IN ROW EXCLUSIVE MODE';
const TAKE_TURN = `SELECT pg_advisory_xact_lock(${RULEBOOK_LOCK_OF('$1')})`;
const BUMP_ORG = `
  INSERT INTO rulebook_versions AS v (org_id, partner_id, version) VALUES ($1, $2, 2)
  ON CONFLICT (org_id) DO UPDATE SET version = v.version + 1 RETURNING org_id, version`;

// Waits for concurrent inserts of first versions, so that no new organisation misses a change of the partner's
// policies.
const HOLD_NEW_ORGS = 'LOCK TABLE rulebook_versions IN SHARE ROW EXCLUSIVE MODE';
const TAKE_TURNS = `SELECT pg_advisory_xact_lock(${RULEBOOK_LOCK_OF('o.org_id')}) FROM (SELECT org_id FROM rulebook_versions WHERE partner_id = $1 ORDER BY org_id) AS o`;
const BUMP_PARTNER = `
  WITH held AS (SELECT org_id FROM rulebook_versions WHERE partner_id = $1 ORDER BY org_id FOR UPDATE)
  UPDATE rulebook_versions v SET version = v.version + 1 FROM held WHERE v.org_id = held.org_id RETURNING v.org_id, v.version`;

/**
 * Increments the rulebook version. Call it in the transaction of every change of a rule, signer group, configuration or
 * software policy; reports decided under the previous version are then decided again (architecture, "hot path").
 */
export async function bumpRulebook(tx: Tx, { partnerId, orgId }: RulebookOwner): Promise<void> {
  for (const { orgId: id, version } of orgId ? await bumpOrg(tx, orgId, partnerId) : await bumpPartner(tx, partnerId)) {
    tx.emit(RulebookChanged, { orgId: id, version }, { aggregateId: id });
  }
}

async function bumpOrg(tx: Tx, orgId: string, partnerId: string): Promise<Bumped[]> {
  await tx.query(ENTER);
  await tx.query(TAKE_TURN, [orgId]);
  return tx.query<Bumped>(BUMP_ORG, [orgId, partnerId]);
}

async function bumpPartner(tx: Tx, partnerId: string): Promise<Bumped[]> {
  await tx.query(HOLD_NEW_ORGS);
  await tx.query(TAKE_TURNS, [partnerId]);
  return tx.query<Bumped>(BUMP_PARTNER, [partnerId]);
}
