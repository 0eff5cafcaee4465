import type { EventEnvelope } from '@gatehouse/contracts-core';
import { type FreezeFact, FreezeStarted } from '@gatehouse/contracts-pam';
import { DeviceReenrolled, type DeviceReenrolment } from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { UsersRepository } from '../../people/users.repository.ts';
import { Mailer } from '../../mail/mailer.ts';
import { freezeMail, reenrolmentMail } from '../../mail/templates.ts';
import { AdministratorsRepository, TenantNamesRepository } from '../../mail/recipients.repository.ts';

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

/**
 * Tells the administrators of an organisation by mail that a machine enrolled again and got its device's new token, so
 * that a machine that pretends to be another is noticed (TEN-69).
 */
@Injectable()
export class MailReenrolment {
  constructor(
    private readonly administratorsRepository: AdministratorsRepository,
    private readonly tenantNamesRepository: TenantNamesRepository,
    private readonly mailer: Mailer,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  @Consumes(DeviceReenrolled)
  async reenrolled(tx: Tx, { data, occurredAt }: EventEnvelope<DeviceReenrolment>): Promise<void> {
    const tenantName = await this.tenantNamesRepository.find(tx, data);
    const about = { ...data, baseUrl: this.baseUrl, tenantName, at: occurredAt };
    for (const to of await this.administratorsRepository.addresses(tx, data))
      await this.mailer.post(tx, reenrolmentMail(to, about));
  }
}
