import { Conditions, type Tx } from '@gatehouse/database';

/** Seeds of the hashes, so that these advisory locks do not collide with others. */
const SEED = 4_284_285;
const PARTNER_SEED = 4_284_286;

/**
 * SQL for the key of an organisation's rulebook lock: changes take it exclusively, reports that it decides take it
 * shared. An advisory lock has a fair queue; with row locks, a stream of reports could starve a change.
 */
export const RULEBOOK_LOCK_OF = (orgId: string): string => `hashtextextended(${orgId}::text, ${SEED})`;

/**
 * SQL for the key of a partner's lock: a change of all its rulebooks takes it exclusively, before theirs; a change of
 * one, and whatever may begin one, takes it shared. Other partners are not delayed.
 */
const PARTNER_LOCK_OF = (partnerId: string): string => `hashtextextended(${partnerId}::text, ${PARTNER_SEED})`;

/** The owner of a change: one organisation, or (orgId null) every organisation of the partner. */
export interface RulebookOwner {
  readonly partnerId: string;
  readonly orgId: string | null;
}

export interface RulebookVersion {
  readonly orgId: string;
  readonly partnerId: string;
  readonly version: number;
}

export type RulebookTable = 'pam_rules' | 'signer_groups' | 'software_policies';

const HOLD_PARTNER = `SELECT pg_advisory_xact_lock_shared(${PARTNER_LOCK_OF('$1')})`;
const LOCK_RULEBOOK = `SELECT pg_advisory_xact_lock(${RULEBOOK_LOCK_OF('$1')})`;
const INCREMENT_ONE = `
  INSERT INTO rulebook_versions AS v (org_id, partner_id, version) VALUES ($1, $2, 2)
  ON CONFLICT (org_id) DO UPDATE SET version = v.version + 1 RETURNING org_id, partner_id, version`;

// Waits for concurrent inserts of first versions, so that no new organisation misses a change of the partner's
// policies.
const LOCK_PARTNER = `SELECT pg_advisory_xact_lock(${PARTNER_LOCK_OF('$1')})`;
const LOCK_RULEBOOKS = `SELECT pg_advisory_xact_lock(${RULEBOOK_LOCK_OF('o.org_id')})
  FROM (SELECT org_id FROM rulebook_versions WHERE partner_id = $1 ORDER BY org_id) AS o`;
const INCREMENT_ALL = `
  WITH held AS (SELECT org_id FROM rulebook_versions WHERE partner_id = $1 ORDER BY org_id FOR UPDATE)
  UPDATE rulebook_versions v SET version = v.version + 1 FROM held WHERE v.org_id = held.org_id
    RETURNING v.org_id, v.partner_id, v.version`;

/** Waits for a change of the whole partner, and keeps others waiting until the transaction ends. */
export const holdPartner = (tx: Tx, partnerId: string): Promise<object[]> => tx.query(HOLD_PARTNER, [partnerId]);

/** Keeps other changes of the organisation's rulebook waiting until the transaction ends. */
export async function lockRulebook(
  tx: Tx,
  { orgId, partnerId }: { readonly orgId: string; readonly partnerId: string },
): Promise<void> {
  // The same order as a change of a whole partner; the opposite order could deadlock.
  await holdPartner(tx, partnerId);
  await tx.query(LOCK_RULEBOOK, [orgId]);
}

/** Locks and increments the version of one organisation's rulebook. */
async function incrementVersionOf(tx: Tx, orgId: string, partnerId: string): Promise<RulebookVersion[]> {
  await lockRulebook(tx, { orgId, partnerId });
  return tx.query<RulebookVersion>(INCREMENT_ONE, [orgId, partnerId]);
}

/** Locks and increments the versions of all rulebooks of a partner. */
async function incrementVersionsOfPartner(tx: Tx, partnerId: string): Promise<RulebookVersion[]> {
  await tx.query(LOCK_PARTNER, [partnerId]);
  await tx.query(LOCK_RULEBOOKS, [partnerId]);
  return tx.query<RulebookVersion>(INCREMENT_ALL, [partnerId]);
}

/** Locks and increments the versions of the owner's rulebooks: one organisation's, or all of the partner. */
export const incrementVersions = (tx: Tx, { partnerId, orgId }: RulebookOwner): Promise<RulebookVersion[]> =>
  orgId === null ? incrementVersionsOfPartner(tx, partnerId) : incrementVersionOf(tx, orgId, partnerId);

/** Counts the owner's rows in a table of rulebooks. */
export async function countOwned(tx: Tx, table: RulebookTable, { partnerId, orgId }: RulebookOwner): Promise<number> {
  const owned = new Conditions().add('partner_id = ?', partnerId);
  if (orgId === null) owned.raw('org_id IS NULL');
  else owned.add('org_id = ?', orgId);
  const counted = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM ${table} ${owned.where}`,
    owned.parameters,
  );
  return counted?.count ?? 0;
}

/** The owners of these rows, each once. */
export const ownersOf = (
  tx: Tx,
  table: 'software_policies' | 'pam_freezes',
  ids: readonly string[],
): Promise<RulebookOwner[]> =>
  tx.query<RulebookOwner>(`SELECT DISTINCT partner_id, org_id FROM ${table} WHERE id = ANY ($1::uuid[])`, [ids]);

const HOLD_PARTNER_OF_REQUEST = `SELECT pg_advisory_xact_lock_shared(${PARTNER_LOCK_OF('r.partner_id')})
  FROM elevation_requests r WHERE r.id = $1`;
const BEGIN_OF_REQUEST = `
  WITH begun AS (
    INSERT INTO rulebook_versions (org_id, partner_id) SELECT r.org_id, r.partner_id FROM elevation_requests r
      WHERE r.id = $1 ON CONFLICT DO NOTHING RETURNING org_id, partner_id, version)
  INSERT INTO rulebook_instants (org_id, partner_id, version, at) SELECT org_id, partner_id, version, clock_timestamp()
    FROM begun`;
const HOLD_OF_REQUEST = `SELECT pg_advisory_xact_lock_shared(${RULEBOOK_LOCK_OF('r.org_id')}) FROM elevation_requests r
  WHERE r.id = $1`;

/**
 * Locks the rulebook of a request's organisation against changes until the transaction ends. All statements are sent
 * at once, so a statement that the caller sends before awaiting the lock runs under it too.
 */
export async function holdRulebookOfRequest(tx: Tx, requestId: string): Promise<void> {
  // A change of the whole partner locks the organisations that have a version.
  await Promise.all([
    tx.query(HOLD_PARTNER_OF_REQUEST, [requestId]),
    tx.query(BEGIN_OF_REQUEST, [requestId]),
    tx.query(HOLD_OF_REQUEST, [requestId]),
  ]);
}
