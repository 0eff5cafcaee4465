import { type UserCaller } from '@gatehouse/contracts-core';
import type { ArchivedOrganizationResponse, ArchiveOrganizationDto } from '@gatehouse/contracts-tenancy';
import { scoped, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishOrganization, requestUninstall } from '../rows/publish-state.ts';
import { returned } from '../rows/assignments.ts';
import { requireNotFrozen, requireNotSurviving } from '../scope/organizations-in-reach.repository.ts';
import { TenancyConfig } from '../tenancy.config.ts';
import { findOrganization } from './get-organization.ts';
import { ORGANIZATION_COLUMNS, type OrganizationRow } from './organization.view.ts';

const DEVICES = `SELECT id, org_id, partner_id FROM devices WHERE org_id = $1 AND status <> 'decommissioned'`;

@Injectable()
export class ArchiveOrganization {
  constructor(
    private readonly work: UnitOfWork,
    private readonly config: TenancyConfig,
  ) {}

  /**
   * Hides the organisation, stops writes below it and requests the removal of its agents. Its data is purged after
   * the retention, or never if that is null.
   * @throws ProblemError organization_not_found, organization_frozen
   */
  execute(
    caller: UserCaller,
    id: string,
    { retentionDays }: ArchiveOrganizationDto,
  ): Promise<ArchivedOrganizationResponse> {
    const days = retentionDays === undefined ? this.config.orgArchiveDefaultRetentionDays : retentionDays;
    return this.work.once(caller, caller.idempotency, async (tx) => {
      requireNotFrozen(await findOrganization(tx, caller, id, 'FOR UPDATE'));
      await requireNotSurviving(tx, id);
      const conditions = scoped(caller.scope, { partner: 'partner_id', org: 'id' }).add('id = ?', id);
      const set = `status = 'archived', archived_at = now(), purge_at = now() + ${conditions.bind(days)}::integer * interval '1 day'`;
      const organization = returned(
        await tx.one<OrganizationRow>(
          `UPDATE organizations SET ${set} ${conditions.where} RETURNING ${ORGANIZATION_COLUMNS}, version`,
          conditions.parameters,
        ),
      );
      const { partnerId, name, status, archivedAt, purgeAt } = organization;
      const devices = await tx.query<{ id: string; orgId: string; partnerId: string }>(DEVICES, [id]);
      for (const device of devices) requestUninstall(tx, device, organization.version);
      tx.audit({
        action: 'organization.archive',
        partnerId,
        orgId: id,
        resource: { type: 'organization', id, name },
        details: { retentionDays: days, purgeAt, devices: devices.length },
      });
      publishOrganization(tx, organization);
      return { id, status, archivedAt: returned(archivedAt), purgeAt };
    });
  }
}
