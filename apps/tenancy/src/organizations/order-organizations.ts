import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { OrganizationOrderDto } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { organizationOrder } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { ownPartnerOf } from '../partners/get-partner.ts';
import { publishPartner } from '../rows/publish-state.ts';
import { returned } from '../rows/assignments.ts';
import { PARTNER_COLUMNS, type PartnerRow } from '../partners/partner.view.ts';

const LOCK_COUNTER = 'SELECT partner_id FROM partner_counters WHERE partner_id = $1 FOR UPDATE';
const REGISTERED = 'SELECT id FROM organizations WHERE partner_id = $1 AND deleted_at IS NULL ORDER BY created_at, id';
const PLACE = `
  UPDATE organizations o SET position = wanted.place FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted(id, place)
   WHERE o.partner_id = $1 AND o.id = wanted.id AND o.position <> wanted.place`;
const LAST = 'UPDATE partner_counters SET last_position = $2 WHERE partner_id = $1';
const KEEP = `UPDATE partners SET settings = settings || jsonb_build_object('organizationOrder', to_jsonb($2::uuid[])) WHERE id = $1 RETURNING ${PARTNER_COLUMNS}, version`;

@Injectable()
export class OrderOrganizations {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Stores the order in which the partner's lists show its organisations.
   * @throws ProblemError org_access_denied for a caller whose reach does not include all of them
   */
  execute(caller: UserCaller, { organizationOrder: wanted }: OrganizationOrderDto): Promise<OrganizationOrderDto> {
    const partnerId = ownPartnerOf(caller);
    if (caller.scope.orgs !== 'all')
      throw new ProblemError(
        'org_access_denied',
        'Your access is limited to chosen organizations; ordering them needs access to all.',
      );
    return this.work.once(caller, caller.idempotency, async (tx) => {
      // Locks out concurrent creations, which would otherwise take a position that this order assigns.
      await tx.query(LOCK_COUNTER, [partnerId]);
      const registered = await tx.query<{ id: string }>(REGISTERED, [partnerId]);
      const order = organizationOrder(
        wanted,
        registered.map(({ id }) => id),
      );
      await tx.query(PLACE, [partnerId, order]);
      await tx.query(LAST, [partnerId, order.length]);
      const partner = returned(await tx.one<PartnerRow>(KEEP, [partnerId, order]));
      tx.audit({
        action: 'partner.organization_order.update',
        partnerId,
        resource: { type: 'partner', id: partnerId, name: partner.name },
        details: { organizations: order.length },
      });
      publishPartner(tx, partner);
      return { organizationOrder: order };
    });
  }
}
