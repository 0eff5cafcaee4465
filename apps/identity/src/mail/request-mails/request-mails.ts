import type { EventEnvelope } from '@gatehouse/contracts-core';
import {
  type ApprovalMail,
  ApprovalMailRequested,
  type RequestOutcome,
  RequestOutcomeNotified,
  type ToldOutcome,
} from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { mailOf, nameInMail } from '../mail-parts.ts';
import { type Mail, Mailer } from '../mailer.ts';
import { AddressesRepository, TenantNamesRepository } from '../recipients.repository.ts';
import { instantInMail } from '../templates.ts';

interface About {
  readonly baseUrl: string;
  readonly tenantName: string | null;
}

const whereOf = (tenantName: string | null, hostname: string): string => {
  const place = nameInMail(tenantName ?? '', '');
  const device = nameInMail(hostname, 'a device');
  return place ? `${device} at ${place}` : device;
};

/** Opening the link decides nothing: it asks for a sign-in, and a decision for the second factor. */
function approvalMail(
  to: string,
  { baseUrl, tenantName, approval }: About & { readonly approval: ApprovalMail },
): Mail {
  const where = whereOf(tenantName, approval.deviceHostname);
  const until = instantInMail(new Date(approval.expiresAt));
  return mailOf({
    to,
    subject: 'A request is awaiting your approval',
    opening: `A request for elevated rights on ${where} is pending and expires at ${until}.`,
    invitation: 'Sign in to approve or deny it:',
    action: 'Open the request',
    link: `${baseUrl}/approvals/${approval.approvalId}`,
    closing: 'You receive this e-mail because you can approve requests there.',
  });
}

const ENDED: Readonly<Record<ToldOutcome, string>> = {
  approved: 'was approved',
  denied: 'was denied',
  expired: 'has expired',
  revoked: 'was revoked',
};

function outcomeMail(to: string, { baseUrl, tenantName, outcome }: About & { readonly outcome: RequestOutcome }): Mail {
  const where = whereOf(tenantName, outcome.deviceHostname);
  return mailOf({
    to,
    subject: `Your request ${ENDED[outcome.status]}`,
    opening: `Your request for elevated rights on ${where} ${ENDED[outcome.status]}.`,
    invitation: 'View the details:',
    action: 'Open the request',
    link: `${baseUrl}/requests/${outcome.elevationRequestId}`,
    closing: 'You receive this e-mail because you made the request.',
  });
}

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
