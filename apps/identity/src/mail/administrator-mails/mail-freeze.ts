import type { EventEnvelope } from '@gatehouse/contracts-core';
import { type FreezeFact, FreezeStarted } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { Mailer } from '../mailer.ts';
import { freezeMail } from '../templates.ts';
import { TenantNamesRepository } from '../tenant-names.repository.ts';
import { UsersRepository } from '../../people/users.repository.ts';
import { AdministratorsRepository } from './administrators.repository.ts';

/** Tells the administrators of an owner by mail that privileged access was frozen, so that no freeze goes unnoticed. */
@Injectable()
export class MailFreeze {
  constructor(
    private readonly administratorsRepository: AdministratorsRepository,
    private readonly tenantNamesRepository: TenantNamesRepository,
    private readonly usersRepository: UsersRepository,
    private readonly mailer: Mailer,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  @Consumes(FreezeStarted)
  async frozen(tx: Tx, { data }: EventEnvelope<FreezeFact>): Promise<void> {
    const tenantName = await this.tenantNamesRepository.find(tx, data);
    const author = data.actorId === null ? null : await this.usersRepository.signedIn(tx, data.actorId);
    const about = { baseUrl: this.baseUrl, tenantName, author: author?.name ?? '', freeze: data };
    for (const to of await this.administratorsRepository.addresses(tx, data))
      await this.mailer.post(tx, freezeMail(to, about));
  }
}
