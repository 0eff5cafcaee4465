import { requireUpdates, type UserCaller } from '@gatehouse/contracts-core';
import type { CreateSignerGroupDto, SignerGroupRecord, UpdateSignerGroupDto } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { distinctSigners } from '@gatehouse/pam-domain';
import { bumpRulebook, requireRulebookCapacity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import type { NamedThing } from '../organizations/one-organization.ts';
import { OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { requireSite } from '../organizations/require-site.ts';
import { signerGroupView } from './signer-group.view.ts';
import { SignerGroupsRepository, type SignerGroupValues } from './signer-groups.repository.ts';
import { auditSubject, WritableSignerGroups } from './writable-signer-groups.ts';

const kept = ({ name, description, signers }: SignerGroupValues): SignerGroupValues => ({
  name: name.trim(),
  description,
  signers: distinctSigners(signers),
});

@Injectable()
export class CreateSignerGroup {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly groups: SignerGroupsRepository,
    private readonly writable: WritableSignerGroups,
  ) {}

  /** @throws ProblemError org_required, organization_not_found, organization_frozen, site_access_denied, conflict */
  create(
    caller: UserCaller,
    { orgId, name, description = null, signers = [] }: CreateSignerGroupDto,
  ): Promise<SignerGroupRecord> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const organization = await this.organizations.resolveWritable(tx, caller, orgId);
      requireSite(caller, null);
      const group = await this.groups.insert(tx, organization, newId(), kept({ name, description, signers }));
      await bumpRulebook(tx, organization);
      await requireRulebookCapacity(tx, 'signer_groups', organization);
      tx.audit({
        ...auditSubject(group),
        action: 'pam.signer_group.create',
        details: { signers: group.signers.length },
      });
      return signerGroupView(group);
    });
  }

  /** @throws ProblemError no_updates_provided, signer_group_not_found, organization_frozen, site_access_denied */
  update(caller: UserCaller, named: NamedThing, patch: UpdateSignerGroupDto): Promise<SignerGroupRecord> {
    const changes = requireUpdates(patch);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const known = await this.writable.lock(tx, caller, named);
      const group = await this.groups.update(tx, named.id, kept({ ...known, ...changes }));
      await bumpRulebook(tx, group);
      tx.audit({
        ...auditSubject(group),
        action: 'pam.signer_group.update',
        details: { changedFields: Object.keys(changes), signers: group.signers.length },
      });
      return signerGroupView(group);
    });
  }
}
