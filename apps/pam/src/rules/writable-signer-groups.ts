import { type AuditSubject, ProblemError, requireVersion, type UserCaller } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { isWhereNamed, type NamedThing, requireSite } from '../tenants/require-place.ts';
import { isAbove, Owners } from '../tenants/owners.ts';
import { type SignerGroupRow, SignerGroupsRepository } from './signer-groups.repository.ts';

export const auditSubject = ({ id, name, orgId, partnerId }: SignerGroupRow): AuditSubject => ({
  resource: { type: 'pam.signer_group', id, name },
  orgId,
  partnerId,
});

/**
 * Locks a signer group for a change, after checking that the caller may change it: a group applies at every site of its
 * organisation, or of every organisation of its partner.
 */
@Injectable()
export class WritableSignerGroups {
  constructor(
    private readonly owners: Owners,
    private readonly signerGroups: SignerGroupsRepository,
  ) {}

  async lock(tx: Tx, caller: UserCaller, named: NamedThing): Promise<SignerGroupRow> {
    const group = await this.signerGroups.lock(tx, caller.scope, named.id);
    if (!group || !isWhereNamed(named, group) || isAbove(caller, group))
      throw new ProblemError('signer_group_not_found', 'There is no such signer group.');
    if (group.orgId !== null) requireSite(caller, null);
    await this.owners.requireChangeable(tx, caller, group);
    requireVersion(caller, group.version);
    return group;
  }
}
