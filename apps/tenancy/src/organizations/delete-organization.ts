import type { UserCaller } from '@gatehouse/contracts-core';
import { scoped, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishOrganization } from '../rows/publish-state.ts';
import { returned } from '../rows/assignments.ts';
import { requireNotFrozen, requireNotSurviving } from '../scope/organizations-in-reach.repository.ts';
import { findOrganization } from './get-organization.ts';
import { ORGANIZATION_COLUMNS, type OrganizationRow } from './organization.view.ts';

export const GIVE_UP_PLACE = 'UPDATE partner_counters SET organizations = organizations - 1 WHERE partner_id = $1';

@Injectable()
export class DeleteOrganization {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Soft delete: marks only the organisation, not the rows below it.
   * @throws ProblemError organization_not_found, organization_frozen
   */
  async execute(caller: UserCaller, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      requireNotFrozen(await findOrganization(tx, caller, id, 'FOR UPDATE'));
      await requireNotSurviving(tx, id);
      const { where, parameters } = scoped(caller.scope, { partner: 'partner_id', org: 'id' }).add('id = ?', id);
      const organization = returned(
        await tx.one<OrganizationRow>(
          `UPDATE organizations SET deleted_at = now() ${where} RETURNING ${ORGANIZATION_COLUMNS}, version`,
          parameters,
        ),
      );
      await tx.query(GIVE_UP_PLACE, [organization.partnerId]);
      tx.audit({
        action: 'organization.delete',
        partnerId: organization.partnerId,
        orgId: id,
        resource: { type: 'organization', id, name: organization.name },
      });
      publishOrganization(tx, organization);
    });
  }
}
