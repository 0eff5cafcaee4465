import type { EventEnvelope } from '@gatehouse/contracts-core';
import {
  type ApprovalMail,
  ApprovalMailRequested,
  type RequestOutcome,
  RequestOutcomeNotified,
} from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { Mailer } from '../mailer.ts';
import { TenantNamesRepository } from '../tenant-names.repository.ts';
import { AddressesRepository } from './addresses.repository.ts';
import { approvalMail, outcomeMail } from './request-mails.ts';

/**
 * Mails people about elevation requests: those whom no push reaches, when they are asked (PAM-222), and those who
 * asked, when it took long (PAM-223). A mail says where and on which device, and decides nothing.
 */
@Injectable()
export class MailAboutRequests {
  constructor(
    private readonly addresses: AddressesRepository,
    private readonly tenantNames: TenantNamesRepository,
    private readonly mailer: Mailer,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  @Consumes(ApprovalMailRequested)
  async asked(tx: Tx, { data }: EventEnvelope<ApprovalMail>): Promise<void> {
    const to = await this.addresses.of(tx, data.userId, data.partnerId);
    if (to === null) return;
    const tenantName = await this.tenantNames.find(tx, data);
    await this.mailer.post(tx, approvalMail(to, { baseUrl: this.baseUrl, tenantName, approval: data }));
  }

  @Consumes(RequestOutcomeNotified)
  async ended(tx: Tx, { data }: EventEnvelope<RequestOutcome>): Promise<void> {
    const to = data.byMail ? await this.addresses.of(tx, data.userId, data.partnerId) : null;
    if (to === null) return;
    const tenantName = await this.tenantNames.find(tx, data);
    await this.mailer.post(tx, outcomeMail(to, { baseUrl: this.baseUrl, tenantName, outcome: data }));
  }
}
