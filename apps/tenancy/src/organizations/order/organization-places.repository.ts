import { ProblemError } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { partnerNotFound } from '../../partners/partners.repository.ts';

const TAKE = `
  UPDATE partner_counters c SET organizations = c.organizations + 1, last_position = c.last_position + 1 FROM partners p
   WHERE c.partner_id = $1 AND p.id = c.partner_id AND p.deleted_at IS NULL
     AND (p.max_organizations IS NULL OR c.organizations < p.max_organizations)
  RETURNING c.last_position`;
const CAP = 'SELECT max_organizations FROM partners WHERE id = $1 AND deleted_at IS NULL';
const RELEASE = 'UPDATE partner_counters SET organizations = organizations - 1 WHERE partner_id = $1';
const LOCK = 'SELECT partner_id FROM partner_counters WHERE partner_id = $1 FOR UPDATE';
const BY_AGE = 'SELECT id FROM organizations WHERE partner_id = $1 AND deleted_at IS NULL ORDER BY created_at, id';
const MOVE = `
  UPDATE organizations o SET position = wanted.place FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted(id, place)
   WHERE o.partner_id = $1 AND o.id = wanted.id AND o.position <> wanted.place`;
const STORE_LAST = 'UPDATE partner_counters SET last_position = $2 WHERE partner_id = $1';

/** The organisations that count against a partner's cap, and their positions in its preferred order. */
@Injectable()
export class OrganizationPlacesRepository {
  /** Counts a new organisation and returns its position. The counter's row is the lock that enforces the cap. */
  async take(tx: Tx, partnerId: string): Promise<number> {
    const place = await tx.one<{ lastPosition: number | null }>(TAKE, [partnerId]);
    if (place) return place.lastPosition ?? 0;
    const partner = await tx.one<{ maxOrganizations: number }>(CAP, [partnerId]);
    if (!partner) throw partnerNotFound();
    throw new ProblemError('organization_limit_reached', 'This partner has as many organizations as it may have.', {
      limit: partner.maxOrganizations,
    });
  }

  async release(tx: Tx, partnerId: string): Promise<void> {
    await tx.query(RELEASE, [partnerId]);
  }

  /**
   * Returns the partner's organisations, the oldest first. Concurrent creations wait for the lock; otherwise they would
   * take a position that the new order assigns.
   */
  async lock(tx: Tx, partnerId: string): Promise<string[]> {
    await tx.query(LOCK, [partnerId]);
    return (await tx.query<{ id: string }>(BY_AGE, [partnerId])).map(({ id }) => id);
  }

  async order(tx: Tx, partnerId: string, order: readonly string[]): Promise<void> {
    await tx.query(MOVE, [partnerId, order]);
    await tx.query(STORE_LAST, [partnerId, order.length]);
  }
}
