import { changesOf, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { bumpRulebook } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import type { NamedThing } from '../organizations/one-organization.ts';
import { SignerGroupsRepository } from './signer-groups.repository.ts';
import { auditSubject, WritableSignerGroups } from './writable-signer-groups.ts';

@Injectable()
export class DeleteSignerGroup {
  constructor(
    private readonly work: UnitOfWork,
    private readonly signerGroups: SignerGroupsRepository,
    private readonly writableSignerGroups: WritableSignerGroups,
  ) {}

  /** @throws ProblemError signer_group_not_found, site_access_denied, organization_frozen, signer_group_in_use */
  execute(caller: UserCaller, named: NamedThing): Promise<void> {
    return this.work.run(caller, async (tx) => {
      const group = await this.writableSignerGroups.lock(tx, caller, named);
      // The lock on the group blocks new references to it by concurrent transactions.
      const references = await this.signerGroups.countReferences(tx, group);
      if (references > 0)
        throw new ProblemError(
          'signer_group_in_use',
          `${references} ${references === 1 ? 'rule refers' : 'rules refer'} to this signer group.`,
          { references },
        );
      await this.signerGroups.delete(tx, named.id);
      await bumpRulebook(tx, group, { kind: 'signer_group', ids: [group.id], editedBy: caller.userId });
      tx.audit({
        ...auditSubject(group),
        action: 'pam.signer_group.delete',
        details: { changes: changesOf(group, null, ['signers']) },
      });
    });
  }
}
