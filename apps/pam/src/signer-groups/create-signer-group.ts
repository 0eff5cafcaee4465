import type { UserCaller } from '@gatehouse/contracts-core';
import type { CreateSignerGroupDto, SignerGroupRecord } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { bumpRulebook, requireRulebookCapacity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { requireSite } from '../organizations/require-site.ts';
import { signerGroupView } from './signer-group.view.ts';
import { normalisedGroup } from './normalised-group.ts';
import { SignerGroupsRepository } from './signer-groups.repository.ts';
import { auditSubject } from './writable-signer-groups.ts';

@Injectable()
export class CreateSignerGroup {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly signerGroups: SignerGroupsRepository,
  ) {}

  /** @throws ProblemError org_required, organization_not_found, organization_frozen, site_access_denied, conflict */
  execute(
    caller: UserCaller,
    { orgId, name, description = null, signers = [] }: CreateSignerGroupDto,
  ): Promise<SignerGroupRecord> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const organization = await this.organizations.resolveWritable(tx, caller, orgId);
      requireSite(caller, null);
      const values = normalisedGroup({ name, description, signers });
      const group = await this.signerGroups.insert(tx, organization, { id: newId(), createdBy: caller.userId }, values);
      await bumpRulebook(tx, organization, { kind: 'signer_group', ids: [group.id], editedBy: caller.userId });
      await requireRulebookCapacity(tx, 'signer_groups', organization);
      tx.audit({
        ...auditSubject(group),
        action: 'pam.signer_group.create',
        details: { signers: group.signers.length },
      });
      return signerGroupView(group);
    });
  }
}
