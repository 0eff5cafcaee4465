import type { EventEnvelope } from '@gatehouse/contracts-core';
import { type DeviceReenrolment, DeviceReenrolled } from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { Mailer } from '../mailer.ts';
import { reenrolmentMail } from '../templates.ts';
import { TenantNamesRepository } from '../tenant-names.repository.ts';
import { AdministratorsRepository } from './administrators.repository.ts';

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
    const about = { baseUrl: this.baseUrl, tenantName, hostname: data.hostname, at: occurredAt, reason: data.reason };
    for (const to of await this.administratorsRepository.addresses(tx, data))
      await this.mailer.post(tx, reenrolmentMail(to, about));
  }
}
