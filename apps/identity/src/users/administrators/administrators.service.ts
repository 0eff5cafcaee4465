import { changesOf, ProblemError, type ServiceCaller, SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { PLACE_FIELDS, SYSTEM } from '../../people/grants/placement.ts';
import { InvitationsService } from '../../invitations/invitations.service.ts';
import { foldEmail } from '@gatehouse/identity-domain';
import { UsersRepository } from '../../people/users.repository.ts';

const [ALL_PERMISSIONS] = SYSTEM_ROLES.filter(({ permissions }) => permissions.includes('*'));

@Injectable()
export class AdministratorsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly usersRepository: UsersRepository,
    private readonly invitations: InvitationsService,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /**
   * Restores access when no system administrator can sign in any more: the operator, who holds the gateway's key, has a
   * new administrator invited by mail. No existing account changes, so the route cannot silently take one over.
   * @throws ProblemError conflict when the address has an account
   */
  async invite(
    caller: ServiceCaller,
    { email: given, name }: { email: string; name: string },
  ): Promise<{ userId: string }> {
    const email = foldEmail(given);
    const userId = await this.work.run(caller, async (tx) => {
      if (await this.usersRepository.idOfEmail(tx, email))
        throw new ProblemError('conflict', 'This address has an account; choose another.');
      const membership = { id: newId(), roleId: ALL_PERMISSIONS?.id ?? '', ...SYSTEM };
      const id = await this.invitations.send(tx, {
        email,
        name,
        author: { id: null, name: 'The operator' },
        membership,
      });
      tx.audit({
        action: 'user.create',
        resource: { type: 'user', id, name: email },
        details: {
          scope: 'system',
          invited: true,
          byOperator: true,
          changes: changesOf(null, membership, PLACE_FIELDS),
        },
      });
      return id;
    });
    this.log.warn({ userId, alert: 'administrator_admitted' }, 'the operator had a new administrator invited');
    return { userId };
  }
}
