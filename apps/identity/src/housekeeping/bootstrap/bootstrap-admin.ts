import { asService } from '@gatehouse/contracts-core';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { LOGGER, type Logger, untilAvailable } from '@gatehouse/service';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { IdentityConfig } from '../../identity.config.ts';
import { Passwords } from '../../sign-in/passwords/passwords.ts';
import { foldEmail } from '../../people/email.ts';
import { BootstrapRepository } from './bootstrap.repository.ts';
import { CreateAdministrator } from './create-administrator.ts';

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
