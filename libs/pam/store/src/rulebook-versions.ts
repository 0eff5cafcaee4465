import { RulebookChanged } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';
import { RULEBOOK_LOCK_OF } from './rulebook-lock.ts';

interface Bumped {
  readonly orgId: string;
  readonly version: number;
}

/** What a change belongs to: one organisation, or (orgId null) every organisation of the partner. */
export interface RulebookOwner {
  readonly partnerId: string;
  readonly orgId: string | null;
}

// The table before the turn, as a change of a whole partner takes them: in the other order the two would wait for each
// other.
const ENTER = 'LOCK TABLE rulebook_versions IN ROW EXCLUSIVE MODE';
const TAKE_TURN = `SELECT pg_advisory_xact_lock(${RULEBOOK_LOCK_OF('$1')})`;
const BUMP_ORG = `
  INSERT INTO rulebook_versions AS v (org_id, partner_id, version) VALUES ($1, $2, 2)
  ON CONFLICT (org_id) DO UPDATE SET version = v.version + 1 RETURNING org_id, version`;

// Waits for organisations whose first version is being written, so that none slips past with the old policies.
const HOLD_NEW_ORGS = 'LOCK TABLE rulebook_versions IN SHARE ROW EXCLUSIVE MODE';
const TAKE_TURNS = `SELECT pg_advisory_xact_lock(${RULEBOOK_LOCK_OF('o.org_id')}) FROM (SELECT org_id FROM rulebook_versions WHERE partner_id = $1 ORDER BY org_id) AS o`;
const BUMP_PARTNER = `
  WITH held AS (SELECT org_id FROM rulebook_versions WHERE partner_id = $1 ORDER BY org_id FOR UPDATE)
  UPDATE rulebook_versions v SET version = v.version + 1 FROM held WHERE v.org_id = held.org_id RETURNING v.org_id, v.version`;

/**
 * Says that what decides requests has changed. Call it in the transaction of every change of a rule, signer group,
 * config or software policy: reports decided under the version before are decided again (architecture, "hot path").
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
