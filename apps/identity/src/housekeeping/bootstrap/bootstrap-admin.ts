import { asService, changesOf, SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { KeyRing, newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { LOGGER, type Logger, untilAvailable } from '@gatehouse/service';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { FactorsRepository } from '../../people/factors.repository.ts';
import { factorContext } from '../../people/second-factors.ts';
import { IdentityConfig } from '../../identity.config.ts';
import { foldEmail } from '@gatehouse/identity-domain';
import { PLACE_FIELDS, SYSTEM } from '../../people/grants/placement.ts';
import { MembershipsService } from '../../people/memberships/memberships.service.ts';
import { UsersRepository } from '../../people/users.repository.ts';
import { CredentialsRepository } from '../../people/passwords/credentials.repository.ts';
import { Passwords } from '../../people/passwords/passwords.ts';
import { BootstrapRepository } from '../housekeeping.repository.ts';

const [ALL_PERMISSIONS] = SYSTEM_ROLES.filter(({ permissions }) => permissions.includes('*'));

interface NewAdministrator {
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

/** Creates the first administrator of an empty system from `BOOTSTRAP_ADMIN_*`. */
@Injectable()
export class BootstrapAdmin implements OnApplicationBootstrap {
  constructor(
    private readonly work: UnitOfWork,
    private readonly config: IdentityConfig,
    private readonly passwords: Passwords,
    private readonly bootstrapRepository: BootstrapRepository,
    private readonly createAdministrator: CreateAdministrator,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const {
      bootstrapAdminEmail: email,
      bootstrapAdminPassword: password,
      bootstrapAdminTotpSecret: totpSecret,
    } = this.config;
    if (!email || !password) return;
    const passwordHash = await this.passwords.hash(password);
    const createIfEmpty = async (tx: Tx): Promise<boolean> => {
      if (!(await this.bootstrapRepository.isWithoutUsers(tx))) return false;
      await this.createAdministrator.create(tx, { email: foldEmail(email), passwordHash, totpSecret });
      return true;
    };
    const isCreated = await untilAvailable(this.log, () => this.work.background(asService('identity'), createIfEmpty));
    if (isCreated) this.log.info({ email }, 'the first administrator was made');
  }
}
