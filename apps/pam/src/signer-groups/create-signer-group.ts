import type { UserCaller } from '@gatehouse/contracts-core';
import type { CreateSignerGroupDto, SignerGroupRecord } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { bumpRulebook, requireRulebookCapacity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { Owners } from '../organizations/owners.ts';
import { requireSite } from '../organizations/require-site.ts';
import { signerGroupView } from './signer-group.view.ts';
import { normalisedGroup } from './normalised-group.ts';
import { SignerGroupsRepository } from './signer-groups.repository.ts';
import { auditSubject } from './writable-signer-groups.ts';

@Injectable()
export class CreateSignerGroup {
  constructor(
    private readonly work: UnitOfWork,
    private readonly owners: Owners,
    private readonly signerGroups: SignerGroupsRepository,
  ) {}

  /** @throws ProblemError site_access_denied, conflict, and as {@link Owners} */
  execute(
    caller: UserCaller,
    { name, description = null, signers = [], ...named }: CreateSignerGroupDto,
  ): Promise<SignerGroupRecord> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const owner = await this.owners.requireWritable(tx, caller, named);
      if (owner.orgId !== null) requireSite(caller, null);
      const values = normalisedGroup({ name, description, signers });
      const group = await this.signerGroups.insert(tx, owner, { id: newId(), createdBy: caller.userId }, values);
      await bumpRulebook(tx, owner, { kind: 'signer_group', ids: [group.id], editedBy: caller.userId });
      await requireRulebookCapacity(tx, 'signer_groups', owner);
      tx.audit({
        ...auditSubject(group),
        action: 'pam.signer_group.create',
        details: { signers: group.signers.length },
      });
      return signerGroupView(group);
    });
  }
}
