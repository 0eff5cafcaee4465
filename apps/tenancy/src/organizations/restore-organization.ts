import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { OrganizationResponse } from '@gatehouse/contracts-tenancy';
import { scoped, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishOrganization } from '../rows/publish-state.ts';
import { findOrganization } from './get-organization.ts';
import { ORGANIZATION_COLUMNS, type OrganizationRow, organizationView } from './organization.view.ts';

@Injectable()
export class RestoreOrganization {
  constructor(private readonly work: UnitOfWork) {}

  /** @throws ProblemError organization_not_found, organization_not_archived, purge_started */
  execute(caller: UserCaller, id: string): Promise<OrganizationResponse> {
    const { where, parameters } = scoped(caller.scope, { partner: 'partner_id', org: 'id' })
      .add('id = ?', id)
      .raw(`status = 'archived' AND deleted_at IS NULL`);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const organization = await tx.one<OrganizationRow>(
        `UPDATE organizations SET status = 'active', archived_at = NULL, purge_at = NULL ${where} RETURNING ${ORGANIZATION_COLUMNS}, version`,
        parameters,
      );
      if (!organization) throw whyNot(await findOrganization(tx, caller, id));
      tx.audit({
        action: 'organization.restore',
        partnerId: organization.partnerId,
        orgId: id,
        resource: { type: 'organization', id, name: organization.name },
      });
      publishOrganization(tx, organization);
      return organizationView(organization);
    });
  }
}

const whyNot = ({ status }: OrganizationRow): ProblemError =>
  status === 'purging'
    ? new ProblemError('purge_started', 'The data of this organization is being deleted; it cannot be restored.')
    : new ProblemError('organization_not_archived', 'This organization is not archived.', {
        organizationStatus: status,
      });
