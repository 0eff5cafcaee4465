import { partUpdates, requireSame, type UserCaller } from '@gatehouse/contracts-core';
import type { OrganizationResponse, UpdateOrganizationDto } from '@gatehouse/contracts-tenancy';
import { onConstraint, scoped, UnitOfWork } from '@gatehouse/database';
import { SETTABLE_AT_UPDATE } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { publishOrganization } from '../rows/publish-state.ts';
import { assignments, returned } from '../rows/assignments.ts';
import { requireNotFrozen } from '../scope/organizations-in-reach.repository.ts';
import { organizationSlugTaken, requireSettable } from './create-organization.ts';
import { findOrganization } from './get-organization.ts';
import { ORGANIZATION_COLUMNS, type OrganizationRow, organizationView } from './organization.view.ts';

@Injectable()
export class UpdateOrganization {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * @throws ProblemError no_updates_provided, status_not_settable, organization_not_found, organization_frozen, slug_taken
   */
  execute(caller: UserCaller, id: string, patch: UpdateOrganizationDto): Promise<OrganizationResponse> {
    const { updates, named } = partUpdates(patch, ['partnerId']);
    requireSettable(updates.status, SETTABLE_AT_UPDATE);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const known = await findOrganization(tx, caller, id, 'FOR UPDATE');
      requireNotFrozen(known);
      requireSame(named, known);
      const conditions = scoped(caller.scope, { partner: 'partner_id', org: 'id' }).add('id = ?', id);
      const set = assignments(updates, conditions);
      const row = await tx
        .one<OrganizationRow>(
          `UPDATE organizations SET ${set} ${conditions.where} RETURNING ${ORGANIZATION_COLUMNS}, version`,
          conditions.parameters,
        )
        .catch(onConstraint(organizationSlugTaken));
      const organization = returned(row);
      tx.audit({
        action: 'organization.update',
        partnerId: organization.partnerId,
        orgId: id,
        resource: { type: 'organization', id, name: organization.name },
        details: { changedFields: Object.keys(updates) },
      });
      publishOrganization(tx, organization);
      return organizationView(organization);
    });
  }
}
