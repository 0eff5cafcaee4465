import type { ApprovalMail, RequestOutcome, ToldOutcome } from '@gatehouse/contracts-pam';
import { mailOf } from '../mail-parts.ts';
import type { Mail } from '../mailer.ts';
import { nameInMail } from '../name-in-mail.ts';

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
export function approvalMail(
  to: string,
  { baseUrl, tenantName, approval }: About & { readonly approval: ApprovalMail },
): Mail {
  const where = whereOf(tenantName, approval.deviceHostname);
  return mailOf({
    to,
    subject: 'An approval is waiting for you',
    opening: `A request for elevated rights on ${where} waits for a decision until ${approval.expiresAt}.`,
    invitation: 'Sign in to see what it is about, and decide:',
    action: 'Open the approval',
    link: `${baseUrl}/approvals/${approval.approvalId}`,
    closing: 'You get this mail because you may approve requests there.',
  });
}

const ENDED: Readonly<Record<ToldOutcome, string>> = {
  approved: 'was approved',
  denied: 'was denied',
  expired: 'has expired',
  revoked: 'was revoked',
};

export function outcomeMail(
  to: string,
  { baseUrl, tenantName, outcome }: About & { readonly outcome: RequestOutcome },
): Mail {
  const where = whereOf(tenantName, outcome.deviceHostname);
  return mailOf({
    to,
    subject: `Your request ${ENDED[outcome.status]}`,
    opening: `Your request for elevated rights on ${where} ${ENDED[outcome.status]}.`,
    invitation: 'See what happened to it:',
    action: 'Open the request',
    link: `${baseUrl}/requests/${outcome.elevationRequestId}`,
    closing: 'You get this mail because you made the request.',
  });
}
