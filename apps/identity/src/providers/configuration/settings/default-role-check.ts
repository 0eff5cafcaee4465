import { invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { Reader } from '@gatehouse/database';
import { fitsOwner, missingPermissions, type Owner } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { DefaultRolesRepository } from '../store/provider-trust.repository.ts';

const noSuchRole = ({ orgId }: Owner): ProblemError =>
  invalid('defaultRoleId', `must be a role on the ${orgId ? 'organization' : 'partner'} axis of the provider's owner`);

/** The visitor of a set-up link did not choose the role, and cannot choose another one. */
const linkOutlivedRole = (): ProblemError =>
  new ProblemError('role_not_grantable', 'The role of this link no longer exists: ask for a new link.', {
    missing: [],
  });

/** SSO-08: the administrator who chooses the default role must be allowed to grant it. */
@Injectable()
export class DefaultRoleCheck {
  constructor(private readonly defaultRolesRepository: DefaultRolesRepository) {}

  /** @throws ProblemError validation_failed, role_not_grantable with `missing` */
  async require(reader: Reader, caller: UserCaller, owner: Owner, roleId: string | null | undefined): Promise<void> {
    if (!roleId) return;
    const role = await this.defaultRolesRepository.find(reader, roleId);
    if (!role || !fitsOwner(role, owner)) throw caller.setupVisit ? linkOutlivedRole() : noSuchRole(owner);
    const missing = missingPermissions(caller.permissions, role.permissions);
    if (missing.length === 0) return;
    throw new ProblemError(
      'role_not_grantable',
      'You cannot grant this role: it holds permissions that you do not have.',
      {
        missing,
      },
    );
  }
}
