import { changesOf, SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { KeyRing, newId } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { FactorsRepository } from '../../factors/factors.repository.ts';
import { factorContext } from '../../factors/second-factors.ts';
import { PLACE_FIELDS, SYSTEM } from '../../people/grants/placement.ts';
import { MembershipsService } from '../../people/memberships/memberships.service.ts';
import { CredentialsRepository } from '../../sign-in/passwords/credentials.repository.ts';
import { UsersRepository } from '../../people/users.repository.ts';

const [ALL_PERMISSIONS] = SYSTEM_ROLES.filter(({ permissions }) => permissions.includes('*'));

export interface NewAdministrator {
  readonly email: string;
  readonly passwordHash: string;
  /** The base32 secret of an authenticator app. */
  readonly totpSecret: string | undefined;
}

/** Creates an account with every permission in system scope. */
@Injectable()
export class CreateAdministrator {
  constructor(
    private readonly usersRepository: UsersRepository,
    private readonly credentialsRepository: CredentialsRepository,
    private readonly factorsRepository: FactorsRepository,
    private readonly memberships: MembershipsService,
    private readonly keys: KeyRing,
  ) {}

  async create(tx: Tx, { email, passwordHash, totpSecret }: NewAdministrator): Promise<void> {
    const userId = newId();
    await this.usersRepository.insert(tx, { id: userId, email, name: 'Administrator' });
    await this.credentialsRepository.insert(tx, userId, passwordHash);
    if (totpSecret) await this.addTotp(tx, userId, totpSecret);
    const place = { roleId: ALL_PERMISSIONS?.id ?? '', ...SYSTEM };
    await this.memberships.joinTenant(tx, userId, { id: newId(), ...place });
    tx.audit({
      action: 'user.create',
      resource: { type: 'user', id: userId, name: email },
      details: { bootstrap: true, scope: 'system', changes: changesOf(null, place, PLACE_FIELDS) },
    });
  }

  private async addTotp(tx: Tx, userId: string, totpSecret: string): Promise<void> {
    const id = newId();
    const secret = totpSecret.replace(/=+$/, '').toUpperCase();
    await this.factorsRepository.insertConfirmedTotp(tx, {
      id,
      userId,
      secretSealed: this.keys.seal(secret, factorContext(id)),
    });
  }
}
